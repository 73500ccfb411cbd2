/** Opens once. */
export class Door {
  open: () => void = () => {};
  readonly opened = new Promise<void>((resolve) => (this.open = resolve));
}
