import { createRoute, createRouter, lazyRouteComponent, RouterProvider } from '@tanstack/react-router'
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
import { parseAuditSearch } from './features/admin/audit.queries'
import { parseAnalyticsSearch } from './features/analytics/analytics.search'
import { parseCommentsSearch } from './features/engagement/comments.queries'
import { parseMembersSearch } from './features/identity/members.queries'
import { parseMailsSearch, parseSuppressedSearch } from './features/mail/mails.queries'
import { parseDepositsSearch } from './features/orders/deposits.queries'
import { parseOrdersSearch } from './features/orders/orders.queries'
import { parseSubscriptionsSearch } from './features/subscriptions/subscriptions.queries'
import { parseCasesSearch, parseInquiriesSearch } from './features/support/support.queries'
import { parseWebhookSearch } from './features/webhooks/webhooks.search'
import { pathValue, root } from './root-route'
import { PageFailed } from './shell/page-failed'
import { tenancyRoutes } from './tenancy-routes'

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(() => import('./features/admin/home'), 'Home'),
})

const account = createRoute({
  getParentRoute: () => root,
  path: '/account',
  component: lazyRouteComponent(() => import('./features/staff/account'), 'Account'),
})

const analytics = createRoute({
  getParentRoute: () => root,
  path: '/analytics',
  validateSearch: parseAnalyticsSearch,
  component: lazyRouteComponent(() => import('./features/analytics/analytics-page'), 'AnalyticsPage'),
})

const settlements = createRoute({
  getParentRoute: () => root,
  path: '/settlements',
  validateSearch: parseAnalyticsSearch,
  component: lazyRouteComponent(() => import('./features/analytics/settlements-page'), 'SettlementsPage'),
})

const productAnalytics = createRoute({
  getParentRoute: () => root,
  path: '/analytics/$code',
  params: { parse: ({ code }) => ({ code: pathValue(productCode, code) }) },
  validateSearch: parseAnalyticsSearch,
  component: lazyRouteComponent(() => import('./features/analytics/product-analytics'), 'ProductAnalyticsPage'),
})

const orders = createRoute({
  getParentRoute: () => root,
  path: '/orders',
  validateSearch: parseOrdersSearch,
  component: lazyRouteComponent(() => import('./features/orders/order-list'), 'OrderList'),
})

const order = createRoute({
  getParentRoute: () => root,
  path: '/orders/$code',
  params: { parse: ({ code }) => ({ code: pathValue(orderCode, code) }) },
  component: lazyRouteComponent(() => import('./features/orders/order-page'), 'OrderPage'),
})

const deposits = createRoute({
  getParentRoute: () => root,
  path: '/deposits',
  validateSearch: parseDepositsSearch,
  component: lazyRouteComponent(() => import('./features/orders/deposit-list'), 'DepositList'),
})

const subscriptions = createRoute({
  getParentRoute: () => root,
  path: '/subscriptions',
  validateSearch: parseSubscriptionsSearch,
  component: lazyRouteComponent(() => import('./features/subscriptions/subscription-list'), 'SubscriptionList'),
})

const members = createRoute({
  getParentRoute: () => root,
  path: '/members',
  validateSearch: parseMembersSearch,
  component: lazyRouteComponent(() => import('./features/identity/member-list'), 'MemberList'),
})

const member = createRoute({
  getParentRoute: () => root,
  path: '/members/$id',
  params: { parse: ({ id }) => ({ id: pathValue(memberId, id) }) },
  component: lazyRouteComponent(() => import('./features/identity/member-page'), 'MemberPage'),
})

const comments = createRoute({
  getParentRoute: () => root,
  path: '/comments',
  component: lazyRouteComponent(() => import('./features/engagement/comment-queue'), 'CommentQueue'),
})

const allComments = createRoute({
  getParentRoute: () => root,
  path: '/comments/all',
  validateSearch: parseCommentsSearch,
  component: lazyRouteComponent(() => import('./features/engagement/comment-list'), 'CommentList'),
})

const inquiries = createRoute({
  getParentRoute: () => root,
  path: '/inquiries',
  validateSearch: parseInquiriesSearch,
  component: lazyRouteComponent(() => import('./features/support/inquiry-list'), 'InquiryList'),
})

const inquiry = createRoute({
  getParentRoute: () => root,
  path: '/inquiries/$code',
  params: { parse: ({ code }) => ({ code: pathValue(inquiryCode, code) }) },
  component: lazyRouteComponent(() => import('./features/support/inquiry-page'), 'InquiryPage'),
})

const savedReplies = createRoute({
  getParentRoute: () => root,
  path: '/saved-replies',
  component: lazyRouteComponent(() => import('./features/support/saved-replies'), 'SavedReplies'),
})

const inquiryTopics = createRoute({
  getParentRoute: () => root,
  path: '/inquiry-topics',
  component: lazyRouteComponent(() => import('./features/support/inquiry-topics'), 'InquiryTopicsPage'),
})

const cases = createRoute({
  getParentRoute: () => root,
  path: '/cases',
  validateSearch: parseCasesSearch,
  component: lazyRouteComponent(() => import('./features/support/case-list'), 'CaseList'),
})

const mails = createRoute({
  getParentRoute: () => root,
  path: '/mails',
  validateSearch: parseMailsSearch,
  component: lazyRouteComponent(() => import('./features/mail/mail-list'), 'MailList'),
})

const mail = createRoute({
  getParentRoute: () => root,
  path: '/mails/$id',
  params: { parse: ({ id }) => ({ id: pathValue(mailId, id) }) },
  component: lazyRouteComponent(() => import('./features/mail/mail-page'), 'MailPage'),
})

const suppressedAddresses = createRoute({
  getParentRoute: () => root,
  path: '/suppressed-addresses',
  validateSearch: parseSuppressedSearch,
  component: lazyRouteComponent(() => import('./features/mail/suppressed-addresses'), 'SuppressedAddresses'),
})

const people = createRoute({
  getParentRoute: () => root,
  path: '/staff',
  component: lazyRouteComponent(() => import('./features/staff/people'), 'People'),
})

const roles = createRoute({
  getParentRoute: () => root,
  path: '/staff/roles',
  component: lazyRouteComponent(() => import('./features/staff/roles'), 'Roles'),
})

const tokens = createRoute({
  getParentRoute: () => root,
  path: '/staff/tokens',
  component: lazyRouteComponent(() => import('./features/staff/tokens'), 'Tokens'),
})

const webhooks = createRoute({
  getParentRoute: () => root,
  path: '/webhooks',
  component: lazyRouteComponent(() => import('./features/webhooks/endpoint-list'), 'EndpointList'),
})

const webhook = createRoute({
  getParentRoute: () => root,
  path: '/webhooks/$id',
  params: { parse: ({ id }) => ({ id: pathValue(webhookEndpointId, id) }) },
  validateSearch: parseWebhookSearch,
  component: lazyRouteComponent(() => import('./features/webhooks/endpoint-page'), 'EndpointPage'),
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
  component: lazyRouteComponent(() => import('./features/webhooks/delivery-page'), 'DeliveryPage'),
})

const audit = createRoute({
  getParentRoute: () => root,
  path: '/audit',
  validateSearch: parseAuditSearch,
  component: lazyRouteComponent(() => import('./features/admin/audit-log'), 'AuditLog'),
})

const bulkJobs = createRoute({
  getParentRoute: () => root,
  path: '/bulk-jobs',
  component: lazyRouteComponent(() => import('./features/admin/bulk-jobs'), 'BulkJobs'),
})

const bulkJob = createRoute({
  getParentRoute: () => root,
  path: '/bulk-jobs/$id',
  params: { parse: ({ id }) => ({ id: pathValue(bulkJobId, id) }) },
  component: lazyRouteComponent(() => import('./features/admin/bulk-jobs'), 'BulkJobPage'),
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
  people,
  roles,
  tokens,
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

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

/** The page of the address, in the frame of the console. */
export const Pages = () => <RouterProvider router={router} />
