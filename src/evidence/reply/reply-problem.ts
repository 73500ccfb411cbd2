/** A part of a reply that breaks the contract. */
export class ReplyProblem extends Error {}
