import type { ComponentChildren } from 'preact';
import { SourceError } from '../source/source-error.ts';
import type { Loaded } from '../source/use-loaded.ts';
import './trouble.css';

/** Something could not be loaded: what, and what to do now. */
export function Trouble({ error }: { readonly error: Error }) {
  return (
    <div class="card stack gap-3 notice" role="alert">
      <p class="notice-title">{error instanceof SourceError ? error.message : 'This cannot be shown.'}</p>
      <p>{error instanceof SourceError ? error.hint : `${error.message}. Reload the page.`}</p>
      {error instanceof SourceError && error.isGone && (
        <p>
          <a href="#/">Go to all runs</a>
        </p>
      )}
    </div>
  );
}

export function Empty({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="card stack gap-3 notice">
      <p class="notice-title">{title}</p>
      {children}
    </div>
  );
}

/** That something is being loaded, or why it could not be. */
export function LoadNotice({ isLoading, error }: Loaded<unknown>) {
  if (error !== undefined) return <Trouble error={error} />;
  return isLoading ? <Loading /> : null;
}

export function Loading() {
  return (
    <p class="loading" role="status">
      Loading…
    </p>
  );
}
