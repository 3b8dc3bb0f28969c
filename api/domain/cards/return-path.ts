/** The path the provider sends the browser back to, with what it was about in its query. */
export const returnPath = (path: string, about: Record<string, string>) => {
  const url = new URL(path, 'http://store.invalid')
  for (const [name, value] of Object.entries(about)) url.searchParams.set(name, value)
  return `${url.pathname}${url.search}${url.hash}`
}
