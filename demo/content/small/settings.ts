import type { SiteSettings } from '#contract/tenancy.ts'
import { AURORA_SETTINGS } from '../aurora/settings.ts'

type Part<Key extends keyof SiteSettings> = Partial<SiteSettings[Key]>

/** The settings of a small store: those of Aurora with what it does otherwise. */
export function smallSettings(
  code: string,
  own: {
    base: Part<'base'>
    theme: Part<'theme'>
    seo: Part<'seo'>
    operation?: Part<'operation'>
    order?: Part<'order'>
    business: Part<'business'>
  },
): SiteSettings {
  const brand = `/media/brand/${code}`
  return {
    base: {
      ...AURORA_SETTINGS.base,
      faviconPublicUrl: `${brand}/favicon.svg`,
      logoPublicUrl: `${brand}/logo.svg`,
      logoDarkPublicUrl: `${brand}/logo-dark.svg`,
      ...own.base,
    },
    theme: { ...AURORA_SETTINGS.theme, ...own.theme },
    seo: { ...AURORA_SETTINGS.seo, ogImagePublicUrl: `${brand}/share.jpg`, ...own.seo },
    operation: { ...AURORA_SETTINGS.operation, ...own.operation },
    order: { ...AURORA_SETTINGS.order, ...own.order },
    business: { ...AURORA_SETTINGS.business, ...own.business },
    routeRules: [],
    redirectOrigins: [],
  }
}
