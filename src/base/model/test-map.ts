export interface TestName {
  readonly file: string;
  readonly test: string;
  readonly target: string;
}

/** A value for each test of each target. Joining the names to one key would cost more than three look-ups. */
export class TestMap<Value> {
  private readonly files = new Map<string, Map<string, Map<string, Value>>>();

  get({ file, test, target }: TestName): Value | undefined {
    return this.files.get(file)?.get(target)?.get(test);
  }

  set({ file, test, target }: TestName, value: Value): void {
    let targets = this.files.get(file);
    if (targets === undefined) this.files.set(file, (targets = new Map()));
    let tests = targets.get(target);
    if (tests === undefined) targets.set(target, (tests = new Map()));
    tests.set(test, value);
  }
}
