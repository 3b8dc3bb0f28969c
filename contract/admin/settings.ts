import * as z from 'zod/mini'
import { displayType, lessonTerm, locale, paymentMethod } from '../enumerations.ts'
import { currency } from '../money.ts'
import { siteSettings, translatedSettings } from '../tenancy.ts'
import { requiredText } from '../text.ts'
import { auditEntry } from './audit.ts'

/** The settings as they are stored, with the texts in all languages. */
export const storeSettings = z.object({
  settings: siteSettings,
  /** Send it as `If-Match` with a change. */
  version: z.string(),
  /** Whether products or plans have prices in the currency, which then stays. */
  hasPrices: z.boolean(),
  /** Changes of operators, latest first. */
  history: z.array(auditEntry),
})
export type StoreSettings = z.output<typeof storeSettings>

const optionalLine = (max: number) => z.nullable(requiredText(max))
const count = (min: number, max: number) => z.int().check(z.gte(min), z.lte(max))
const picture = z.nullable(z.string().check(z.maxLength(2000)))
const origin = z.string().check(z.maxLength(300))

/** A part of a group: what is left out stays as it is. */
const part = <Shape extends z.core.$ZodShape>(shape: Shape) => z.optional(z.partial(z.object(shape)))

/** A change of settings. Texts and pictures are removed with null. */
export const storeSettingsChange = z.object({
  base: part({
    name: optionalLine(100),
    faviconPublicUrl: picture,
    logoPublicUrl: picture,
    logoDarkPublicUrl: picture,
    displayType,
    locale,
    locales: z.array(locale).check(z.minLength(1), z.maxLength(locale.options.length)),
    timeZone: requiredText(60),
    currency,
    dateFormat: requiredText(14),
    lessonTerm,
  }),
  theme: part({
    accent: z.string().check(z.maxLength(7)),
    surface: siteSettings.shape.theme.shape.surface,
    radius: siteSettings.shape.theme.shape.radius,
    font: siteSettings.shape.theme.shape.font,
  }),
  seo: part({
    title: optionalLine(200),
    description: optionalLine(500),
    publicUrl: z.nullable(origin),
    use: z.boolean(),
    ogImagePublicUrl: picture,
  }),
  operation: part({
    useLogin: z.boolean(),
    useJoin: z.boolean(),
    useComment: z.boolean(),
    commentPolicy: siteSettings.shape.operation.shape.commentPolicy,
    deviceLimit: count(0, 1000),
    streamLimit: count(0, 1000),
    watermark: z.boolean(),
    retentionDays: count(0, 36_500),
  }),
  order: part({
    useFree: z.boolean(),
    usePayment: z.boolean(),
    useSubscribe: z.boolean(),
    useInquiry: z.boolean(),
    methods: z.array(paymentMethod).check(z.maxLength(paymentMethod.options.length)),
    depositHours: count(1, 8760),
    refundDays: count(0, 3650),
    refundPolicy: z.object({ version: requiredText(40), text: requiredText(5000) }),
  }),
  business: part({
    company: optionalLine(200),
    representative: optionalLine(100),
    registrationNumber: optionalLine(60),
    mailOrderNumber: optionalLine(60),
    address: optionalLine(300),
    phone: optionalLine(40),
    email: optionalLine(254),
  }),
  routeRules: z.optional(
    z
      .array(z.object({ from: requiredText(500), to: requiredText(2000), permanent: z.boolean() }))
      .check(z.maxLength(500)),
  ),
  redirectOrigins: z.optional(z.array(origin).check(z.maxLength(50))),
  /** All sections in their order. Null restores the arrangement of a new store. */
  homeSections: siteSettings.shape.homeSections,
  /** All links in their order. Null restores the menu of a new store. */
  menu: siteSettings.shape.menu,
  /** By language and name. What is left out stays; null removes a text. */
  translations: z.optional(z.partialRecord(locale, z.partialRecord(z.enum(translatedSettings), optionalLine(5000)))),
})
export type StoreSettingsChange = z.input<typeof storeSettingsChange>
