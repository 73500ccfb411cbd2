/** A file of evaluators, or one of them, cannot be used. The message says why and what to do. */
export class EvaluatorFileError extends Error {}
