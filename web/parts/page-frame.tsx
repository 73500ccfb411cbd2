import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useSource } from '../source/source-context.ts';
import { withoutHidden } from '../text/hidden-characters.ts';
import './page-frame.css';

interface Crumb {
  readonly name: ComponentChildren;
  readonly link: string;
}

const RUNS: Crumb = { name: 'Runs', link: '#/' };

/** The start of every page: the breadcrumb, the heading, and the focus on it. */
export function PageFrame({
  title,
  heading,
  crumbs,
  aside,
  children,
}: {
  /** The title of the window. */
  readonly title: string;
  readonly heading: ComponentChildren;
  /** The pages above this one, below the list of all runs if there is one. */
  readonly crumbs?: readonly Crumb[];
  readonly aside?: ComponentChildren;
  readonly children?: ComponentChildren;
}) {
  const { holds } = useSource();
  const above = crumbs === undefined || holds === 'one run' ? (crumbs ?? []) : [RUNS, ...crumbs];
  const headingRef = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${withoutHidden(title)} · Assay`;
  }, [title]);
  // A screen reader announces the new page. A list that people return to has already taken the focus.
  useEffect(() => {
    if (document.activeElement?.closest('main') == null) headingRef.current?.focus({ preventScroll: true });
  }, []);
  return (
    <>
      <header class="page-head">
        <div class="line page-title">
          {above.length > 0 && (
            <nav aria-label="Breadcrumb" class="crumbs">
              {above.map(({ name, link }) => (
                <a key={link} class="cut" href={link}>
                  {name}
                </a>
              ))}
            </nav>
          )}
          <h1 ref={headingRef} tabIndex={-1}>
            {heading}
          </h1>
          {aside !== undefined && <div class="line page-aside">{aside}</div>}
        </div>
      </header>
      {children}
    </>
  );
}
