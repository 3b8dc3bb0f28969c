import type { SiteSettings } from '#contract/tenancy.ts'

export const AURORA_SETTINGS: SiteSettings = {
  base: {
    name: 'Aurora',
    faviconPublicUrl: '/media/brand/aurora/favicon.svg',
    logoPublicUrl: '/media/brand/aurora/logo.svg',
    logoDarkPublicUrl: '/media/brand/aurora/logo-dark.svg',
    displayType: 'LOGO_TEXT',
    locale: 'en',
    locales: ['en', 'ko', 'ja', 'ar'],
    timeZone: 'Europe/Lisbon',
    currency: 'USD',
    dateFormat: 'yyyy/mm/dd',
  },
  theme: { accent: '#ff9b5e', surface: 'dark', radius: 'medium', font: 'sans' },
  seo: {
    title: 'Aurora – cinema in under a minute',
    description:
      'Micro-films, series and ambient loops by animators from twenty countries. Every film is under a minute; rent it, own it, or keep it on in the background.',
    publicUrl: null,
    use: true,
    ogImagePublicUrl: '/media/brand/aurora/share.jpg',
  },
  operation: {
    useLogin: false,
    useJoin: true,
    useComment: true,
    commentPolicy: 'MEMBERS',
    deviceLimit: 5,
    streamLimit: 2,
    retentionDays: 1825,
  },
  order: {
    useFree: true,
    usePayment: true,
    useSubscribe: true,
    useInquiry: true,
    methods: ['CARD', 'BANK'],
    depositHours: 168,
    refundDays: 7,
    refundPolicy: {
      version: '2026-03',
      text: 'You may return any film or file within seven days as long as you have not begun to play or download it. A series stays refundable for the episodes you have not opened.',
    },
  },
  business: {
    company: 'Aurora Miniatures, Lda. (demonstration)',
    representative: 'Miren Oyarzun',
    registrationNumber: 'PT 500 000 000',
    mailOrderNumber: null,
    address: 'Rua do Exemplo 24, 1200-000 Lisboa, Portugal',
    phone: '+351 210 000 000',
    email: 'hello@aurora.example',
  },
  routeRules: [
    { from: '/films', to: '/videos', permanent: true },
    { from: '/film/:code', to: '/products/:code', permanent: true },
    { from: '/press', to: '/pages/about', permanent: false },
  ],
  redirectOrigins: [],
}
