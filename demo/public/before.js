// What must be said before a module is loaded. Zod tries `new Function` with the first schema that any package makes,
// unless it is told not to: the security policy forbids it, and Firefox complains in the console.
globalThis.__zod_globalConfig = { jitless: true };
