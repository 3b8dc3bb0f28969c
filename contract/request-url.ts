const parsed = new WeakMap<Request, URL>()

/** The URL of a request. It is parsed once, however many layers read it. */
export function urlOf(request: Request): Readonly<URL> {
  const url = parsed.get(request) ?? new URL(request.url)
  parsed.set(request, url)
  return url
}

/** The path of a request line, such as the `url` of a request of node:http: `/a?b` → `/a`. */
export const pathOf = (url: string | undefined): string => url?.split('?', 1)[0] ?? ''
