/** Notes the names of the variables that are read, and `*` if all names are. */
export function observeVariables(read: Set<string>): void {
  const add = (name: string | symbol): void => {
    if (typeof name === 'string') read.add(name);
  };
  process.env = new Proxy(process.env, {
    get(target, name) {
      add(name);
      return Reflect.get(target, name) as unknown as string;
    },
    set: (target, name, value) => Reflect.set(target, name, value),
    has(target, name) {
      add(name);
      return Reflect.has(target, name);
    },
    getOwnPropertyDescriptor(target, name) {
      // Who asks for all names asks this of each.
      if (!read.has(ALL)) add(name);
      return Reflect.getOwnPropertyDescriptor(target, name);
    },
    ownKeys(target) {
      read.add(ALL);
      return Reflect.ownKeys(target);
    },
  });
}

const ALL = '*';
