import * as z from 'zod/mini'
import { displayType, type Locale, lessonTerm, locale, paymentMethod } from './enumerations.ts'
import { categoryId, customerCode, productCode } from './ids.ts'
import { arrangedId, menu, ownTitle, ownTitles } from './menu.ts'
import { currency } from './money.ts'
import type { TextLanguages } from './translations.ts'

/** What visitors read while staff have closed a store that was open. */
export const maintenance = z.object({
  /** By language. Without one, the storefront shows its own text. */
  texts: z.partialRecord(locale, z.string()),
  /** When the store opens again. Null if that is not known, or was to be before now. */
  backAt: z.nullable(z.iso.datetime()),
})
export type Maintenance = z.output<typeof maintenance>

/**
 * The specification's contract status, whether the store is open, and the version that changes with
 * every tenant-wide change.
 */
export const contractStatus = z.object({
  useCustomer: z.boolean(),
  useSite: z.boolean(),
  /** False until the store is opened. Until then visitors see a "coming soon" page. */
  opened: z.boolean(),
  /** Present while staff have closed the store. Absent for one that was never open. */
  maintenance: z.optional(maintenance),
  /** True at the host of the installation’s console, where nothing is sold. Absent for a store. */
  isInstallation: z.optional(z.boolean()),
  /** Whether the caller sees the store through a preview link. */
  preview: z.boolean(),
  /** The time at which the caller sees the store through a preview link. Absent for the present. */
  previewAt: z.optional(z.iso.datetime()),
  /** The tenant of the storefront's host; null if it has none, or the host was not sent. */
  hostCustomerCode: z.nullable(customerCode),
  version: z.int(),
})
export type ContractStatus = z.output<typeof contractStatus>

/**
 * A path pattern (`/old/:rest*`) and its target. A target on another origin must be on the
 * allow-list.
 */
export const routeRule = z.object({ from: z.string(), to: z.string(), permanent: z.boolean() })
export type RouteRule = z.output<typeof routeRule>

/** The names of settings that are texts for visitors. */
export const translatedSettings = [
  'base.name',
  'seo.title',
  'seo.description',
  'order.refundPolicy.text',
  'business.company',
  'business.representative',
  'business.address',
] as const
type TranslatedSetting = (typeof translatedSettings)[number]

/** The sections whose content and title are the storefront's. Each is on the home page once. */
const standardSections = [
  'WATCHING',
  'VIEWED',
  'NEWEST',
  'GRID_BANNERS',
  'MOST_PLAYED',
  'WIDE_BANNER',
  'CATEGORIES',
  'CUSTOM_BANNERS',
] as const
export type StandardSection = (typeof standardSections)[number]

const hidden = z.optional(z.boolean())

/** The maximum number of products that a section of the home page names. */
export const maxChosenProducts = 20

/**
 * A section of the home page. WIDE_BANNER shows the first wide banner, CATEGORIES the first
 * top-level categories with enough products, with the other wide banners between them. CATEGORY
 * shows the products of one category, by default below its name, PRODUCTS those that the store has
 * chosen, in its order.
 */
const homeSection = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(standardSections), hidden }),
  z.object({
    kind: z.literal('CATEGORY'),
    hidden,
    categoryId,
    title: z.optional(ownTitle),
    titles: ownTitles,
  }),
  z.object({
    kind: z.literal('PRODUCTS'),
    hidden,
    id: arrangedId,
    title: ownTitle,
    titles: ownTitles,
    /** Empty for visitors, to whom products that are not on sale are unknown. */
    productCodes: z.array(productCode).check(z.maxLength(maxChosenProducts)),
  }),
])
export type HomeSection = z.output<typeof homeSection>

/** The maximum number of sections of a home page. */
export const maxHomeSections = 20

/** What a section must not have in common with another one. */
export const sectionKey = (section: HomeSection): string => {
  if (section.kind === 'CATEGORY') return section.categoryId
  return section.kind === 'PRODUCTS' ? `PRODUCTS ${section.id}` : section.kind
}

/** The home page of a store that has not arranged its own. */
export const defaultHomeSections = (): HomeSection[] => standardSections.map((kind) => ({ kind }))

export const siteSettings = z.object({
  base: z.object({
    name: z.nullable(z.string()),
    faviconPublicUrl: z.nullable(z.string()),
    logoPublicUrl: z.nullable(z.string()),
    logoDarkPublicUrl: z.nullable(z.string()),
    displayType,
    locale,
    locales: z.array(locale),
    timeZone: z.string(),
    currency,
    dateFormat: z.string(),
    /** `EPISODE` by default. */
    lessonTerm: z.optional(lessonTerm),
  }),
  theme: z.object({
    accent: z.string(),
    surface: z.enum(['light', 'dark', 'system']),
    radius: z.enum(['none', 'small', 'medium', 'large']),
    font: z.enum(['sans', 'serif', 'rounded']),
  }),
  seo: z.object({
    title: z.nullable(z.string()),
    description: z.nullable(z.string()),
    publicUrl: z.nullable(z.string()),
    use: z.boolean(),
    ogImagePublicUrl: z.nullable(z.string()),
  }),
  operation: z.object({
    useLogin: z.boolean(),
    useJoin: z.boolean(),
    useComment: z.boolean(),
    commentPolicy: z.enum(['MEMBERS', 'BUYERS']),
    /** The maximum number of devices of a member; zero for no limit. */
    deviceLimit: z.int(),
    /**
     * The maximum number of concurrent streams of a member; zero for no limit. Each plan has its
     * own limit.
     */
    streamLimit: z.int(),
    /** Whether streams show a watermark that identifies the member. */
    watermark: z.optional(z.boolean()),
    retentionDays: z.int(),
  }),
  order: z.object({
    useFree: z.boolean(),
    usePayment: z.boolean(),
    useSubscribe: z.boolean(),
    useInquiry: z.boolean(),
    methods: z.array(paymentMethod),
    /** Origins of external payment pages. Computed by the API, not stored. */
    paymentOrigins: z.optional(z.array(z.string())),
    depositHours: z.int(),
    /** The refund period for unopened products, in days. */
    refundDays: z.int(),
    refundPolicy: z.object({ version: z.string(), text: z.string() }),
  }),
  business: z.object({
    company: z.nullable(z.string()),
    representative: z.nullable(z.string()),
    registrationNumber: z.nullable(z.string()),
    mailOrderNumber: z.nullable(z.string()),
    address: z.nullable(z.string()),
    phone: z.nullable(z.string()),
    email: z.nullable(z.string()),
  }),
  routeRules: z.array(routeRule),
  redirectOrigins: z.array(z.string()),
  /** The home page from top to bottom, below its slides. Null for `defaultHomeSections`. */
  homeSections: z.optional(
    z.nullable(
      z.array(homeSection).check(
        z.maxLength(maxHomeSections),
        z.refine((sections) => new Set(sections.map(sectionKey)).size === sections.length),
      ),
    ),
  ),
  /** The links of the header. Null for `defaultMenu`. */
  menu: z.optional(z.nullable(menu)),
  /**
   * Texts in other languages than `base.locale`, by language and name: `{ "ko": { "base.name": "…"
   * } }`.
   */
  translations: z.optional(z.partialRecord(locale, z.partialRecord(z.enum(translatedSettings), z.string()))),
})
export type SiteSettings = z.output<typeof siteSettings>

/** Settings in one language. `languages` names the texts in other languages. */
export type SettingsInLanguage = SiteSettings & { languages: NonNullable<TextLanguages> }

/**
 * Returns the settings in one language. A text without a translation stays in the store's language.
 */
export const settingsIn = (settings: SiteSettings, language: Locale): SettingsInLanguage => {
  const languages: NonNullable<TextLanguages> = {}
  if (language === settings.base.locale) return { ...settings, languages }
  const translation = settings.translations?.[language] ?? {}
  const text = <Own extends string | null>(name: TranslatedSetting, own: Own): string | Own => {
    const translated = translation[name]
    if (translated) return translated
    if (own) languages[name] = settings.base.locale
    return own
  }
  const { base, seo, order, business } = settings
  return {
    ...settings,
    base: { ...base, name: text('base.name', base.name) },
    seo: {
      ...seo,
      title: text('seo.title', seo.title),
      description: text('seo.description', seo.description),
    },
    order: {
      ...order,
      refundPolicy: {
        ...order.refundPolicy,
        text: text('order.refundPolicy.text', order.refundPolicy.text),
      },
    },
    business: {
      ...business,
      company: text('business.company', business.company),
      representative: text('business.representative', business.representative),
      address: text('business.address', business.address),
    },
    languages,
  }
}

export const tenantQuery = z.object({ host: z.string().check(z.minLength(1), z.maxLength(253)) })
/** The tenant of a host; null if it has none. */
export const tenantAnswer = z.object({ customerCode: z.nullable(customerCode) })
