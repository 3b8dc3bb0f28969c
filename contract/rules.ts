/** Null and the empty string count as missing; zero and false do not. */
export const isPresent = <T>(value: T | null | undefined | ''): value is T =>
  value !== null && value !== undefined && value !== ''

const domain = /^https?:\/\/(?:www\.)?(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}(?::\d{1,5})?(?:[/?#]\S*)?$/i

/** http or https, an optional www, a host whose top-level part has at least two letters, an optional path. */
export const isDomain = (value: string): boolean => domain.test(value)

/** An address of the storefront: one slash in front, and no `.` or `..` to tidy away, so that no browser reads it as another host. */
export const storefrontPath = /^\/(?![/\\])(?!(?:[^?#]*\/)?(?:\.|%2e){1,2}(?:[/?#]|$))[^\s\\]*$/i

const slug = String.raw`[\p{Ll}\p{Lo}\p{Lm}\p{M}\p{N}]+(?:-[\p{Ll}\p{Lo}\p{Lm}\p{M}\p{N}]+)*`

/** The longest slug of a category. */
const maxSlugLength = 80

const slugPattern = new RegExp(`^${slug}$`, 'u')

/** A part of an address: lower-case letters of any script, digits, and single hyphens between them. */
export const isSlug = (value: string): boolean => value.length <= maxSlugLength && slugPattern.test(value)

/** Slugs from the root down, with slashes between them: `films/landscape`. */
export const slugPath = new RegExp(`^${slug}(?:/${slug}){0,19}$`, 'u')

/** The slug that a name suggests; `fallback` where the name has no letter or digit. */
export const slugOf = (name: string, fallback: string): string =>
  name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{Ll}\p{Lo}\p{Lm}\p{M}\p{N}]+/gu, '-')
    .slice(0, maxSlugLength - 10)
    .replace(/^-+|-+$/g, '') || fallback
