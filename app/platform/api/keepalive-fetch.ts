/** A `fetch` whose request outlives the page: what was done just before leaving is done. */
export const keepaliveFetch: typeof fetch = (input, init) => fetch(input, { ...init, keepalive: true })
