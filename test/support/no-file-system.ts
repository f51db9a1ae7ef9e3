// Takes from a worker what browsers keep from pages that are not secure.
for (const name of ['storage', 'locks']) {
  Object.defineProperty(navigator, name, { value: undefined });
}
