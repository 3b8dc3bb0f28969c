/** Null and the empty string count as missing; zero and false do not. */
export const isPresent = <T>(value: T | null | undefined | ''): value is T =>
  value !== null && value !== undefined && value !== ''

const domain = /^https?:\/\/(?:www\.)?(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}(?::\d{1,5})?(?:[/?#]\S*)?$/i

/** http or https, an optional www, a host whose top-level part has at least two letters, an optional path. */
export const isDomain = (value: string): boolean => domain.test(value)

/** An address of the storefront: one slash in front, and no `.` or `..` to tidy away, so that no browser reads it as another host. */
export const storefrontPath = /^\/(?![/\\])(?!(?:[^?#]*\/)?(?:\.|%2e){1,2}(?:[/?#]|$))[^\s\\]*$/i
