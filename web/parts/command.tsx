import { useState } from 'preact/hooks';
import { withoutHidden } from '../text/hidden-characters.ts';
import { Shown } from '../text/text.tsx';
import { Icon } from './icon.tsx';
import './command.css';

/** A command for the terminal, with a copy button. */
export function Command({ line }: { readonly line: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(line);
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <span class="box command">
      <code>
        {line.split(' ').map((word, index) => (
          <>
            {index > 0 && ' '}
            <span key={index} class="command-word">
              <Shown text={word} />
            </span>
          </>
        ))}
      </code>
      {/* A page from disk may have no clipboard; what cannot be seen should not reach a terminal. */}
      {'clipboard' in navigator && withoutHidden(line) === line && (
        <button type="button" class="quiet" aria-label={`Copy: ${line}`} onClick={() => void copy()}>
          {isCopied ? 'Copied' : <Icon name="copy" />}
        </button>
      )}
    </span>
  );
}
