import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { withoutHidden } from '../text/hidden-characters.ts';
import './page-frame.css';

export interface Crumb {
  readonly name: ComponentChildren;
  readonly link: string;
}

/** The start of every page: the breadcrumb, the heading, and the focus on it. */
export function PageFrame({
  title,
  heading,
  crumbs = [],
  aside,
  children,
}: {
  /** The title of the window. */
  readonly title: string;
  readonly heading: ComponentChildren;
  readonly crumbs?: readonly Crumb[];
  readonly aside?: ComponentChildren;
  readonly children?: ComponentChildren;
}) {
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
        <div class="page-title">
          {crumbs.length > 0 && (
            <nav aria-label="Breadcrumb" class="crumbs">
              {crumbs.map(({ name, link }) => (
                <a key={link} class="cut" href={link}>
                  {name}
                </a>
              ))}
            </nav>
          )}
          <h1 ref={headingRef} tabIndex={-1}>
            {heading}
          </h1>
          {aside !== undefined && <div class="page-aside">{aside}</div>}
        </div>
      </header>
      {children}
    </>
  );
}
