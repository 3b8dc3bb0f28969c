import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import { bindTenant } from '#api/platform/db/client.ts'
import { newId } from '#api/platform/db/columns.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import type { Locale } from '#contract/enumerations.ts'
import { type CustomerId, customerCode } from '#contract/ids.ts'
import { type SiteSettings, siteSettings } from '#contract/tenancy.ts'
import { insertStore } from './stores.queries.ts'

export interface NewCustomer {
  /** Set if the id is known before the store exists. */
  id?: CustomerId
  code: string
  settings: SiteSettings
  hosts?: readonly string[]
  useCustomer?: boolean
  useSite?: boolean
  /** Whether the store is open to visitors. Defaults to closed. */
  opened?: boolean
}

/** Inserts a store. The caller's transaction is bound to the new tenant from then on. */
export const insertCustomer = async (
  db: Pick<NodePgDatabase, 'execute' | 'insert'>,
  given: NewCustomer,
): Promise<CustomerId> => {
  const { id = newId<CustomerId>() } = given
  await bindTenant(db, id)
  await insertStore(
    db,
    {
      customerId: id,
      code: customerCode.parse(given.code),
      settings: siteSettings.parse(given.settings),
      useCustomer: given.useCustomer ?? true,
      useSite: given.useSite ?? true,
      opened: given.opened ?? false,
    },
    (given.hosts ?? []).map((host) => host.toLowerCase()),
  )
  return id
}

/**
 * Creates a store. Requires the owner's connection: the role that serves requests cannot create
 * tenants.
 */
export const createCustomer = (owner: NodePgDatabase, given: NewCustomer): Promise<CustomerId> =>
  owner.transaction((tx) => insertCustomer(tx, { opened: true, ...given }))

interface Start {
  name: string
  locale: Locale
  currency: string
  timeZone: string
}

const refundPolicyText = (locale: Locale) => {
  const i18n = messagesOf(locale)
  return i18n._('You get a full refund within seven days of payment for anything you haven’t opened.')
}

/**
 * Returns the settings of a new store: it can sell, and settings specific to its owner are empty.
 */
export const starterSettings = ({ name, locale, currency, timeZone }: Start, today: string): SiteSettings => ({
  base: {
    name,
    faviconPublicUrl: null,
    logoPublicUrl: null,
    logoDarkPublicUrl: null,
    displayType: 'TEXT',
    locale,
    locales: locale === 'en' ? ['en'] : [locale, 'en'],
    timeZone,
    currency,
    dateFormat: 'yyyy/mm/dd',
  },
  theme: { accent: '#2563eb', surface: 'system', radius: 'medium', font: 'sans' },
  seo: { title: name, description: null, publicUrl: null, use: true, ogImagePublicUrl: null },
  operation: {
    useLogin: false,
    useJoin: true,
    useComment: true,
    commentPolicy: 'MEMBERS',
    deviceLimit: 5,
    streamLimit: 2,
    retentionDays: 365,
  },
  order: {
    useFree: true,
    usePayment: true,
    useSubscribe: false,
    useInquiry: true,
    // Payments by bank deposit are usual in Korea.
    methods: currency === 'KRW' ? ['CARD', 'BANK'] : ['CARD'],
    depositHours: 168,
    refundDays: 7,
    refundPolicy: { version: today, text: refundPolicyText(locale) },
  },
  business: {
    company: null,
    representative: null,
    registrationNumber: null,
    mailOrderNumber: null,
    address: null,
    phone: null,
    email: null,
  },
  routeRules: [],
  redirectOrigins: [],
})
