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
  translations: {
    ko: {
      'base.name': '오로라',
      'seo.title': '오로라 – 1분이 안 되는 영화관',
      'seo.description':
        '스무 나라 애니메이터들의 초단편 영화와 시리즈, 앰비언트 루프. 모든 영화는 1분이 채 되지 않습니다. 빌려 보고, 소장하고, 배경으로 틀어 두세요.',
      'order.refundPolicy.text':
        '재생하거나 내려받지 않은 영화와 파일은 7일 안에 환불받을 수 있습니다. 시리즈는 아직 열지 않은 회차를 환불받을 수 있습니다.',
      'business.company': 'Aurora Miniatures, Lda. (데모)',
      'business.representative': '미렌 오야르순',
      'business.address': '포르투갈 리스본 1200-000, Rua do Exemplo 24',
    },
    ja: {
      'base.name': 'オーロラ',
      'seo.title': 'オーロラ – 一分に満たない映画館',
      'seo.description':
        '二十か国のアニメーターによる超短編映画、シリーズ、アンビエントループ。どの映画も一分未満。レンタルでも、購入でも、流しっぱなしでも。',
      'order.refundPolicy.text':
        '再生もダウンロードもしていない映画やファイルは、7日以内であれば返金いたします。シリーズは、まだ開いていない回が返金の対象です。',
      'business.company': 'Aurora Miniatures, Lda.（デモ）',
      'business.representative': 'ミレン・オヤルスン',
      'business.address': 'ポルトガル リスボン 1200-000, Rua do Exemplo 24',
    },
  },
}
