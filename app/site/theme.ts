import type { SiteSettings } from '#contract/tenancy.ts'
import { layer, modalWidth, toastWidth, tooltip } from '~/platform/constants'
import { themeProperties } from '~/ui/theme'

/** The product's fixed measures, for the style sheets. */
const measures = {
  ...Object.fromEntries(Object.entries(layer).map(([name, height]) => [`--z-${name}`, height])),
  '--modal-narrow': `${modalWidth.narrow}px`,
  '--modal-wide': `${modalWidth.wide}px`,
  '--toast-size': toastWidth,
  '--tooltip-size': tooltip.maxWidth,
  '--tooltip-fade': `${tooltip.fadeIn}ms`,
}

/** The measures and the tenant's theme (where it could be read) as one rule for the document's style element. */
export function themeCss(theme: SiteSettings['theme'] | undefined): string {
  const properties = { ...measures, ...(theme && themeProperties(theme)) }
  return `:root{${Object.entries(properties)
    .map(([name, value]) => `${name}:${value}`)
    .join(';')}}`
}

/** The surface to draw: the tenant's, where it is pinned, else the visitor's choice, else the system's (undefined). */
export function surfaceOf(theme: SiteSettings['theme'] | undefined, chosen: string | undefined) {
  if (theme && theme.surface !== 'system') return theme.surface
  return chosen === 'light' || chosen === 'dark' ? chosen : undefined
}
