/** Adds up many small amounts without the drift of plain floating point (Neumaier's summation): ten times 0.1 is 1. */
export class RunningSum {
  private sum = 0;
  private lost = 0;

  get value(): number {
    return this.sum + this.lost;
  }

  add(amount: number): void {
    const next = this.sum + amount;
    this.lost += Math.abs(this.sum) >= Math.abs(amount) ? this.sum - next + amount : amount - next + this.sum;
    this.sum = next;
  }
}
