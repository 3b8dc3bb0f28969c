import * as z from 'zod/mini'
import { displayType, locale, paymentMethod } from './enumerations.ts'
import { customerCode } from './ids.ts'
import { currency } from './money.ts'

/** The specification's contract status, and the version that moves with every tenant-wide change. */
export const contractStatus = z.object({
  useCustomer: z.boolean(),
  useSite: z.boolean(),
  version: z.int(),
})
export type ContractStatus = z.output<typeof contractStatus>

/** A path pattern (`/old/:rest*`) and where it leads. A target on another origin must be on the allow-list. */
const routeRule = z.object({ from: z.string(), to: z.string(), permanent: z.boolean() })
export type RouteRule = z.output<typeof routeRule>

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
    /** Devices on which a member may play; zero for as many as they like. */
    deviceLimit: z.int(),
    /** Streams a member may play at the same time; zero for as many as they like. A plan has a number of its own. */
    streamLimit: z.int(),
    /** Each stream of a member shows whose it is. */
    watermark: z.optional(z.boolean()),
    retentionDays: z.int(),
  }),
  order: z.object({
    useFree: z.boolean(),
    usePayment: z.boolean(),
    useSubscribe: z.boolean(),
    useInquiry: z.boolean(),
    methods: z.array(paymentMethod),
    /** Origins of the pages payments are made on, where they are not the store's own. Said by the API, never kept. */
    paymentOrigins: z.optional(z.array(z.string())),
    depositHours: z.int(),
    /** Days within which what was not opened may be sent back. */
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
})
export type SiteSettings = z.output<typeof siteSettings>

export const tenantQuery = z.object({ host: z.string().check(z.minLength(1), z.maxLength(253)) })
/** Which tenant a host belongs to: null when it belongs to none. */
export const tenantAnswer = z.object({ customerCode: z.nullable(customerCode) })
