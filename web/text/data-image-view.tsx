import { describeImage, type ImagePart } from './data-image.ts';
import { Text } from './text.tsx';

/** A picture that an agent or a test holds. */
export function DataImage({ address, name }: Omit<ImagePart, 'kind'>) {
  const what = describeImage(address);
  return (
    <figure class="stack gap-1 data-image">
      <img src={address} alt={name === '' ? `Picture: ${what}` : name} loading="lazy" decoding="async" />
      <figcaption class="dim">
        {name !== '' && (
          <>
            <Text value={name} /> ·{' '}
          </>
        )}
        {what}
      </figcaption>
    </figure>
  );
}
