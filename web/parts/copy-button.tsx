import { useState } from 'preact/hooks';

/** Puts a text on the clipboard. A page from disk may have none: then there is no button. */
export function CopyButton({ name, text }: { readonly name: string; readonly text: () => string }) {
  const [isCopied, setCopied] = useState(false);
  if (!('clipboard' in navigator)) return null;
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text());
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <button type="button" class="quiet copy" onClick={() => void copy()}>
      {name}
      <span class="visually-hidden" role="status">
        {isCopied && 'Copied'}
      </span>
      {isCopied && <span aria-hidden="true"> ✓</span>}
    </button>
  );
}
