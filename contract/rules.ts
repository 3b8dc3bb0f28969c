/** Null and the empty string count as missing; zero and false do not. */
export const isPresent = <T>(value: T | null | undefined | ''): value is T =>
  value !== null && value !== undefined && value !== ''

/**
 * A path of the storefront: one leading slash and no `.` or `..` segments, so that no browser reads
 * it as another host.
 */
export const storefrontPath = /^\/(?![/\\])(?!(?:[^?#]*\/)?(?:\.|%2e){1,2}(?:[/?#]|$))[^\s\\]*$/i

const slug = String.raw`[\p{Ll}\p{Lo}\p{Lm}\p{M}\p{N}]+(?:-[\p{Ll}\p{Lo}\p{Lm}\p{M}\p{N}]+)*`

/** The longest slug of a category. */
const maxSlugLength = 80

const slugPattern = new RegExp(`^${slug}$`, 'u')

/**
 * Whether the text is a slug: lower-case letters of any script and digits, separated by single
 * hyphens.
 */
export const isSlug = (value: string): boolean => value.length <= maxSlugLength && slugPattern.test(value)

/** Slugs from the root, separated by slashes: `films/landscape`. */
export const slugPath = new RegExp(`^${slug}(?:/${slug}){0,19}$`, 'u')

/** Returns the slug for a name, or `fallback` where the name has no letter or digit. */
export const slugOf = (name: string, fallback: string): string =>
  name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{Ll}\p{Lo}\p{Lm}\p{M}\p{N}]+/gu, '-')
    .slice(0, maxSlugLength - 10)
    .replace(/^-+|-+$/g, '') || fallback

/** The share of a video from which it counts as finished. */
export const finishedShare = 0.9
