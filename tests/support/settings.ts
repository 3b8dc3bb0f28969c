import type { SiteSettings } from '#contract/tenancy.ts'

/** Default settings of a test tenant. */
export const plainSettings = (): SiteSettings => ({
  base: {
    name: 'Test store',
    faviconPublicUrl: null,
    logoPublicUrl: null,
    logoDarkPublicUrl: null,
    displayType: 'TEXT',
    locale: 'en',
    locales: ['en', 'ko'],
    timeZone: 'Asia/Seoul',
    currency: 'USD',
    dateFormat: 'yyyy/mm/dd',
  },
  theme: { accent: '#2563eb', surface: 'system', radius: 'medium', font: 'sans' },
  seo: { title: null, description: null, publicUrl: null, use: true, ogImagePublicUrl: null },
  operation: {
    useLogin: false,
    useJoin: true,
    useComment: true,
    commentPolicy: 'MEMBERS',
    deviceLimit: 0,
    streamLimit: 0,
    retentionDays: 30,
  },
  order: {
    useFree: true,
    usePayment: true,
    useSubscribe: false,
    useInquiry: true,
    methods: ['CARD'],
    depositHours: 168,
    refundDays: 7,
    refundPolicy: { version: '2026-01', text: 'Within seven days, unless it was opened.' },
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
