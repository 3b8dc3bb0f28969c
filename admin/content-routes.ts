import { createRoute } from '@tanstack/react-router'
import { bannerId, faqId, noticeId } from '#contract/ids.ts'
import { parseNoticesSearch } from './features/content/content.search'
import { page, pathValue, root } from './root-route'

const notices = createRoute({
  getParentRoute: () => root,
  path: '/content',
  validateSearch: parseNoticesSearch,
  component: page(() => import('./features/content/notices'), 'NoticeList'),
})

const newNotice = createRoute({
  getParentRoute: () => root,
  path: '/content/notices/new',
  component: page(() => import('./features/content/notices'), 'NewNotice'),
})

const notice = createRoute({
  getParentRoute: () => root,
  path: '/content/notices/$id',
  params: { parse: ({ id }) => ({ id: pathValue(noticeId, id) }) },
  component: page(() => import('./features/content/notices'), 'NoticePage'),
})

const faqList = createRoute({
  getParentRoute: () => root,
  path: '/content/faq',
  component: page(() => import('./features/content/faq'), 'FaqList'),
})

const newFaq = createRoute({
  getParentRoute: () => root,
  path: '/content/faq/new',
  component: page(() => import('./features/content/faq'), 'NewFaq'),
})

const faq = createRoute({
  getParentRoute: () => root,
  path: '/content/faq/$id',
  params: { parse: ({ id }) => ({ id: pathValue(faqId, id) }) },
  component: page(() => import('./features/content/faq'), 'FaqPage'),
})

const sitePages = createRoute({
  getParentRoute: () => root,
  path: '/content/pages',
  component: page(() => import('./features/content/site-pages'), 'SitePageList'),
})

const newSitePage = createRoute({
  getParentRoute: () => root,
  path: '/content/pages/new',
  component: page(() => import('./features/content/site-pages'), 'NewSitePage'),
})

const sitePage = createRoute({
  getParentRoute: () => root,
  path: '/content/pages/$type',
  component: page(() => import('./features/content/site-pages'), 'SitePage'),
})

const banners = createRoute({
  getParentRoute: () => root,
  path: '/content/banners',
  component: page(() => import('./features/content/banners'), 'BannerList'),
})

const newBanner = createRoute({
  getParentRoute: () => root,
  path: '/content/banners/new',
  component: page(() => import('./features/content/banners'), 'NewBanner'),
})

const banner = createRoute({
  getParentRoute: () => root,
  path: '/content/banners/$id',
  params: { parse: ({ id }) => ({ id: pathValue(bannerId, id) }) },
  component: page(() => import('./features/content/banners'), 'BannerPage'),
})

/** Notices, questions, pages and banners. */
const homeSections = createRoute({
  getParentRoute: () => root,
  path: '/content/home',
  component: page(() => import('./features/content/home-sections'), 'HomeSections'),
})
const menu = createRoute({
  getParentRoute: () => root,
  path: '/content/menu',
  component: page(() => import('./features/content/menu'), 'Menu'),
})

export const contentRoutes = [
  notices,
  newNotice,
  notice,
  faqList,
  newFaq,
  faq,
  sitePages,
  newSitePage,
  sitePage,
  banners,
  newBanner,
  banner,
  homeSections,
  menu,
] as const
