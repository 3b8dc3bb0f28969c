import { html } from 'hono/html'
import { directionOf } from '#contract/direction.ts'
import type { Locale } from '#contract/enumerations.ts'

interface PageHead {
  title: string
  /** The address of the stylesheet. */
  stylesheet: string
  /** The address of an SVG favicon. */
  icon?: string
  scripts?: unknown
}

/**
 * Returns the beginning of a page that is not part of a storefront, up to the end of its head.
 * Search engines are asked not to list the page.
 */
export const pageStart = (locale: Locale, { title, stylesheet, icon, scripts = '' }: PageHead) => html`<!doctype html>
<html lang="${locale}" dir="${directionOf(locale)}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="robots" content="noindex,nofollow" />
    <meta name="color-scheme" content="light dark" />
    <title>${title}</title>
    ${icon ? html`<link rel="icon" href="${icon}" type="image/svg+xml" />` : ''}
    <link rel="stylesheet" href="${stylesheet}" />
    ${scripts}
  </head>`

/**
 * The element at a place that is known to hold one; negative places count from the end.
 *
 * @throws RangeError if there is none: a mistake of the program, or a damaged file.
 */
export const elementAt = <Element>(elements: readonly Element[], place: number): Element => {
  const element = elements.at(place)
  if (element === undefined) throw new RangeError(`There is no element ${place} among ${elements.length}`)
  return element
}

/** @throws RangeError if the list is empty. */
export const firstOf = <Element>(elements: readonly Element[]): Element => elementAt(elements, 0)

/** @throws RangeError if the list is empty. */
export const lastOf = <Element>(elements: readonly Element[]): Element => elementAt(elements, -1)

/** Returns a copy of an object with the named properties that it has. */
export const pick = <From extends object, Name extends keyof From>(
  from: From,
  names: readonly Name[],
): Pick<From, Name> => {
  const to: Partial<Pick<From, Name>> = {}
  for (const name of names) if (name in from) to[name] = from[name]
  // The names that the object has are all set.
  return to as Pick<From, Name>
}
