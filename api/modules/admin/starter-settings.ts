import { messagesOf } from '#api/platform/i18n/messages.ts'
import type { Locale } from '#contract/enumerations.ts'
import type { SiteSettings } from '#contract/tenancy.ts'

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
