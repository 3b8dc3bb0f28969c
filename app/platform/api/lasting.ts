/** A `fetch` whose request outlives the page: what was done just before leaving is done. */
export const lasting: typeof fetch = (input, init) => fetch(input, { ...init, keepalive: true })
