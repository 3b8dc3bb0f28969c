import { createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { useEffect } from 'react'
import {
  bulkJobId,
  inquiryCode,
  mailId,
  memberId,
  orderCode,
  productCode,
  webhookDeliveryId,
  webhookEndpointId,
} from '#contract/ids.ts'
import { catalogRoutes } from './catalog-routes'
import { contentRoutes } from './content-routes'
import { parseAuditSearch } from './features/admin/audit.search'
import { Home } from './features/admin/home'
import { parseAnalyticsSearch } from './features/analytics/analytics.search'
import { parseCommentsSearch } from './features/engagement/comments.search'
import { parseMembersSearch } from './features/identity/members.search'
import { parseMailsSearch, parseSuppressedSearch } from './features/mail/mails.search'
import { parseDepositsSearch } from './features/orders/deposits.search'
import { parseOrdersSearch } from './features/orders/orders.search'
import { parseSubscriptionsSearch } from './features/subscriptions/subscriptions.search'
import { parseCasesSearch, parseInquiriesSearch } from './features/support/support.search'
import { parseWebhookSearch } from './features/webhooks/webhooks.search'
import { page, pathValue, root } from './root-route'
import { PageFailed } from './shell/page-failed'
import { tenancyRoutes } from './tenancy-routes'

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: Home,
})

const account = createRoute({
  getParentRoute: () => root,
  path: '/account',
  component: page(() => import('./features/staff/account'), 'Account'),
})

const analytics = createRoute({
  getParentRoute: () => root,
  path: '/analytics',
  validateSearch: parseAnalyticsSearch,
  component: page(() => import('./features/analytics/analytics-page'), 'AnalyticsPage'),
})

const settlements = createRoute({
  getParentRoute: () => root,
  path: '/settlements',
  validateSearch: parseAnalyticsSearch,
  component: page(() => import('./features/analytics/settlements-page'), 'SettlementsPage'),
})

const productAnalytics = createRoute({
  getParentRoute: () => root,
  path: '/analytics/$code',
  params: { parse: ({ code }) => ({ code: pathValue(productCode, code) }) },
  validateSearch: parseAnalyticsSearch,
  component: page(() => import('./features/analytics/product-analytics'), 'ProductAnalyticsPage'),
})

const orders = createRoute({
  getParentRoute: () => root,
  path: '/orders',
  validateSearch: parseOrdersSearch,
  component: page(() => import('./features/orders/order-list'), 'OrderList'),
})

const order = createRoute({
  getParentRoute: () => root,
  path: '/orders/$code',
  params: { parse: ({ code }) => ({ code: pathValue(orderCode, code) }) },
  component: page(() => import('./features/orders/order-page'), 'OrderPage'),
})

const deposits = createRoute({
  getParentRoute: () => root,
  path: '/deposits',
  validateSearch: parseDepositsSearch,
  component: page(() => import('./features/orders/deposit-list'), 'DepositList'),
})

const subscriptions = createRoute({
  getParentRoute: () => root,
  path: '/subscriptions',
  validateSearch: parseSubscriptionsSearch,
  component: page(() => import('./features/subscriptions/subscription-list'), 'SubscriptionList'),
})

const members = createRoute({
  getParentRoute: () => root,
  path: '/members',
  validateSearch: parseMembersSearch,
  component: page(() => import('./features/identity/member-list'), 'MemberList'),
})

const member = createRoute({
  getParentRoute: () => root,
  path: '/members/$id',
  params: { parse: ({ id }) => ({ id: pathValue(memberId, id) }) },
  component: page(() => import('./features/identity/member-page'), 'MemberPage'),
})

const comments = createRoute({
  getParentRoute: () => root,
  path: '/comments',
  component: page(() => import('./features/engagement/comment-queue'), 'CommentQueue'),
})

const allComments = createRoute({
  getParentRoute: () => root,
  path: '/comments/all',
  validateSearch: parseCommentsSearch,
  component: page(() => import('./features/engagement/comment-list'), 'CommentList'),
})

const inquiries = createRoute({
  getParentRoute: () => root,
  path: '/inquiries',
  validateSearch: parseInquiriesSearch,
  component: page(() => import('./features/support/inquiry-list'), 'InquiryList'),
})

const inquiry = createRoute({
  getParentRoute: () => root,
  path: '/inquiries/$code',
  params: { parse: ({ code }) => ({ code: pathValue(inquiryCode, code) }) },
  component: page(() => import('./features/support/inquiry-page'), 'InquiryPage'),
})

const savedReplies = createRoute({
  getParentRoute: () => root,
  path: '/saved-replies',
  component: page(() => import('./features/support/saved-replies'), 'SavedReplies'),
})

const inquiryTopics = createRoute({
  getParentRoute: () => root,
  path: '/inquiry-topics',
  component: page(() => import('./features/support/inquiry-topics'), 'InquiryTopicsPage'),
})

const cases = createRoute({
  getParentRoute: () => root,
  path: '/cases',
  validateSearch: parseCasesSearch,
  component: page(() => import('./features/support/case-list'), 'CaseList'),
})

const mails = createRoute({
  getParentRoute: () => root,
  path: '/mails',
  validateSearch: parseMailsSearch,
  component: page(() => import('./features/mail/mail-list'), 'MailList'),
})

const mail = createRoute({
  getParentRoute: () => root,
  path: '/mails/$id',
  params: { parse: ({ id }) => ({ id: pathValue(mailId, id) }) },
  component: page(() => import('./features/mail/mail-page'), 'MailPage'),
})

const suppressedAddresses = createRoute({
  getParentRoute: () => root,
  path: '/suppressed-addresses',
  validateSearch: parseSuppressedSearch,
  component: page(() => import('./features/mail/suppressed-addresses'), 'SuppressedAddresses'),
})

const webhooks = createRoute({
  getParentRoute: () => root,
  path: '/webhooks',
  component: page(() => import('./features/webhooks/endpoint-list'), 'EndpointList'),
})

const webhook = createRoute({
  getParentRoute: () => root,
  path: '/webhooks/$id',
  params: { parse: ({ id }) => ({ id: pathValue(webhookEndpointId, id) }) },
  validateSearch: parseWebhookSearch,
  component: page(() => import('./features/webhooks/endpoint-page'), 'EndpointPage'),
})

const webhookDelivery = createRoute({
  getParentRoute: () => root,
  path: '/webhooks/$id/deliveries/$deliveryId',
  params: {
    parse: ({ id, deliveryId }) => ({
      id: pathValue(webhookEndpointId, id),
      deliveryId: pathValue(webhookDeliveryId, deliveryId),
    }),
  },
  component: page(() => import('./features/webhooks/delivery-page'), 'DeliveryPage'),
})

const audit = createRoute({
  getParentRoute: () => root,
  path: '/audit',
  validateSearch: parseAuditSearch,
  component: page(() => import('./features/admin/audit-log'), 'AuditLog'),
})

const bulkJobs = createRoute({
  getParentRoute: () => root,
  path: '/bulk-jobs',
  component: page(() => import('./features/admin/bulk-jobs'), 'BulkJobs'),
})

const bulkJob = createRoute({
  getParentRoute: () => root,
  path: '/bulk-jobs/$id',
  params: { parse: ({ id }) => ({ id: pathValue(bulkJobId, id) }) },
  component: page(() => import('./features/admin/bulk-jobs'), 'BulkJobPage'),
})

const routeTree = root.addChildren([
  home,
  account,
  analytics,
  settlements,
  productAnalytics,
  orders,
  order,
  deposits,
  subscriptions,
  members,
  member,
  comments,
  allComments,
  inquiries,
  inquiry,
  savedReplies,
  inquiryTopics,
  cases,
  mails,
  mail,
  suppressedAddresses,
  ...catalogRoutes,
  ...contentRoutes,
  ...tenancyRoutes,
  webhooks,
  webhook,
  webhookDelivery,
  audit,
  bulkJobs,
  bulkJob,
])

const router = createRouter({
  routeTree,
  basepath: '/admin',
  // Values are texts: `?q=20261121` is a code, not a number.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const texts = Object.entries(search).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    )
    return texts.length > 0 ? `?${new URLSearchParams(texts)}` : ''
  },
  defaultErrorComponent: PageFailed,
  defaultPreload: 'intent',
  scrollRestoration: true,
})

// The page of the address, beside the first calls of the API. It is loaded again where this fails.
router.load().catch(() => {})
// The early frame may choose another one meanwhile.
const stopEarly = router.history.subscribe(() => void router.load().catch(() => {}))

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

/** The page of the address, in the frame of the console. */
export function Pages() {
  useEffect(() => void stopEarly(), [])
  return <RouterProvider router={router} />
}
