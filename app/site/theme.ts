import type { SiteSettings } from '#contract/tenancy.ts'
import { layer } from '~/platform/constants'
import { themeProperties } from '~/ui/theme'

/** The tenant's theme and the product's layers as one rule for the document's style element. */
export function themeCss(theme: SiteSettings['theme']): string {
  const properties: Record<string, string | number> = { ...themeProperties(theme) }
  for (const [name, height] of Object.entries(layer)) properties[`--z-${name}`] = height
  return `:root{${Object.entries(properties)
    .map(([name, value]) => `${name}:${value}`)
    .join(';')}}`
}

/** The surface to draw: the tenant's, where it is pinned, else the visitor's choice, else the system's (undefined). */
export function surfaceOf(theme: SiteSettings['theme'] | undefined, chosen: string | undefined) {
  if (theme && theme.surface !== 'system') return theme.surface
  return chosen === 'light' || chosen === 'dark' ? chosen : undefined
}
