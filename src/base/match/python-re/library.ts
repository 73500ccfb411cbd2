/** What `assay/python-re` exports. Its own module, so that the code is in a chunk: only chunks are kept compiled. */
export * from './index.ts';
