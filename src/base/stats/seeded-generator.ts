/** Random 32-bit words, the same ones for the same seed on every machine: Doty-Humphrey's SFC32. */
export function createGenerator(seed: number): () => number {
  let a = 0;
  let b = seed | 0;
  let c = Math.imul(seed, 0x9e3779b9) | 0;
  let counter = 1;
  const next = (): number => {
    const word = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + word) | 0;
    return word >>> 0;
  };
  // The first words still resemble the seed.
  for (let round = 0; round < 16; round++) next();
  return next;
}
