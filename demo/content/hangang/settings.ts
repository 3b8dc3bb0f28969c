import type { SiteSettings } from '#contract/tenancy.ts'

export const HANGANG_SETTINGS: SiteSettings = {
  base: {
    name: '한강 아카데미',
    faviconPublicUrl: '/media/brand/hangang/favicon.svg',
    logoPublicUrl: '/media/brand/hangang/logo.svg',
    logoDarkPublicUrl: '/media/brand/hangang/logo-dark.svg',
    displayType: 'LOGO_TEXT',
    locale: 'ko',
    locales: ['ko', 'en', 'ja'],
    timeZone: 'Asia/Seoul',
    currency: 'KRW',
    dateFormat: 'yyyy/mm/dd',
    lessonTerm: 'LESSON',
  },
  theme: { accent: '#1f6f5c', surface: 'light', radius: 'large', font: 'rounded' },
  seo: {
    title: '한강 아카데미 – 하루 24초 마이크로 클래스',
    description:
      '드로잉, 데이터, 코딩, 글쓰기, 한국사, 요리까지. 24초 장면 하나와 워크북 한 장으로 시작하는 마이크로 클래스를 만나 보세요.',
    publicUrl: null,
    use: true,
    ogImagePublicUrl: '/media/brand/hangang/share.jpg',
  },
  operation: {
    useLogin: false,
    useJoin: true,
    useComment: true,
    commentPolicy: 'MEMBERS',
    deviceLimit: 3,
    streamLimit: 1,
    watermark: true,
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
      text: '결제일로부터 7일 이내이고 강의를 재생하거나 자료를 내려받지 않으셨다면 전액 환불해 드립니다. 여러 강의로 이루어진 과정은 열어 보지 않으신 강의만큼 환불됩니다.',
    },
  },
  business: {
    company: '주식회사 한강아카데미 (데모)',
    representative: '한지우',
    registrationNumber: '000-00-00000',
    mailOrderNumber: '제0000-서울마포-0000호',
    address: '서울특별시 마포구 예시로 24, 3층',
    phone: '02-0000-0000',
    email: 'help@hangang.example',
  },
  routeRules: [
    { from: '/lectures', to: '/products', permanent: true },
    { from: '/lecture/:code', to: '/products/:code', permanent: true },
    { from: '/guide', to: '/faq', permanent: false },
  ],
  redirectOrigins: [],
  translations: {
    en: {
      'base.name': 'Hangang Academy',
      'seo.title': 'Hangang Academy – 24-second micro classes',
      'seo.description':
        'Drawing, data, code, writing, Korean history and cooking: micro classes that begin with one 24-second scene and one workbook page.',
      'order.refundPolicy.text':
        'Get a full refund within 7 days of payment if you haven’t watched the class or downloaded the material. For classes with several lessons, the lessons you haven’t opened are refunded.',
      'business.company': 'Hangang Academy Inc. (demonstration)',
      'business.representative': 'Jiwoo Han',
      'business.address': '3F, 24 Yesi-ro, Mapo-gu, Seoul',
    },
  },
}
