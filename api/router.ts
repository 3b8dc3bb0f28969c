import { implement } from '@orpc/server'
import { adminProcedures } from '#api/modules/admin/admin.routes.ts'
import { countProcedures, deliveryProcedures, listExportProcedures } from '#api/modules/admin/list-exports.ts'
import { managedStoreProcedures } from '#api/modules/admin/managed-stores.ts'
import { bulkProcedures } from '#api/modules/admin/start-bulk-jobs.ts'
import { storeProductProcedures } from '#api/modules/admin/store-products.ts'
import { tableJobProcedures } from '#api/modules/admin/table-jobs.ts'
import { analyticsProcedures } from '#api/modules/analytics/analytics.routes.ts'
import { billingProcedures, orderProcedures, paymentAccountProcedures } from '#api/modules/billing/billing.routes.ts'
import { offeredMethods } from '#api/modules/billing/payment-states.ts'
import type { ProviderOf } from '#api/modules/billing/providers.ts'
import { catalogProcedures, productActionProcedures } from '#api/modules/catalog/catalog.routes.ts'
import { contentProcedures, editingProcedures } from '#api/modules/content/content.routes.ts'
import { engagementProcedures, moderationProcedures } from '#api/modules/engagement/engagement.routes.ts'
import {
  accountProcedures,
  joinProcedures,
  memberProcedures,
  operatorProcedures,
} from '#api/modules/identity/identity.routes.ts'
import { importProcedures } from '#api/modules/import-export/import-export.routes.ts'
import { mailServerProcedures } from '#api/modules/mail/mail-servers.ts'
import {
  addPicture,
  bannerPictureProcedures,
  brandPictureProcedures,
  mediaProcedures,
  noticeFileProcedures,
  productPictureProcedures,
  videoProcedures,
} from '#api/modules/media/media.routes.ts'
import { confirmAttachment, playbackProcedures } from '#api/modules/playback/playback.routes.ts'
import { memberDataProcedures, privacyProcedures } from '#api/modules/privacy/privacy.routes.ts'
import { staffProcedures } from '#api/modules/staff/staff.routes.ts'
import { meProcedures, ownProductProcedures, productProcedures } from '#api/modules/storefront/storefront.routes.ts'
import {
  memberSubscriptionProcedures,
  storePlanProcedures,
  storeSubscriptionProcedures,
  subscriptionProcedures,
} from '#api/modules/subscriptions/subscriptions.routes.ts'
import {
  caseProcedures,
  inquiryProcedures,
  inquiryTopicProcedures,
  savedReplyProcedures,
  supportProcedures,
} from '#api/modules/support/support.routes.ts'
import { contractProcedures, domainProcedures } from '#api/modules/tenancy/tenancy.routes.ts'
import { webhookProcedures } from '#api/modules/webhooks/webhooks.routes.ts'
import type { ProcedureContext } from '#api/platform/http/procedures.ts'
import { implementProcedures } from '#api/platform/http/procedures.ts'
import { contract } from '#contract/procedures/contract.ts'
import type { HomeSection } from '#contract/tenancy.ts'
import type { Deps } from './deps.ts'

const os = implementProcedures<{ providerOf: ProviderOf }>()

const withoutCodes = (section: HomeSection): HomeSection =>
  section.kind === 'PRODUCTS' ? { ...section, productCodes: [] } : section

/**
 * The settings of a store as the storefront reads them: with the payment methods that its payment
 * provider supports, of those the store has chosen, and without hidden sections of its home page
 * and hidden links. * Chosen products are not named: some of them may not be on sale yet.
 */
const siteProcedures = {
  siteSettings: os.tenancy.siteSettings.handler(({ context: { customer, deps } }) => {
    const provider = deps.providerOf(customer)
    const { order, homeSections, menu } = customer.settings
    return {
      ...customer.settings,
      ...(homeSections && { homeSections: homeSections.filter(({ hidden }) => !hidden).map(withoutCodes) }),
      ...(menu && { menu: menu.filter(({ hidden }) => !hidden) }),
      order: { ...order, methods: offeredMethods({ customer, provider }), paymentOrigins: [...provider.pageOrigins] },
    }
  }),
}

/**
 * Maps each procedure of the contract to the handler of its module. The compiler reports a
 * procedure without a handler.
 */
export const router = implement(contract)
  .$context<ProcedureContext<Deps>>()
  .router({
    tenancy: { ...contractProcedures, ...siteProcedures },
    identity: { ...joinProcedures, ...memberProcedures, ...operatorProcedures, ...meProcedures, ...privacyProcedures },
    staff: staffProcedures,
    catalog: { ...catalogProcedures, ...productProcedures, confirmAttachment },
    content: contentProcedures,
    engagement: { ...engagementProcedures, ...ownProductProcedures },
    orders: orderProcedures,
    billing: billingProcedures,
    subscriptions: subscriptionProcedures,
    support: supportProcedures,
    media: mediaProcedures,
    playback: playbackProcedures,
    analytics: analyticsProcedures,
    webhooks: { ...webhookProcedures, ...deliveryProcedures },
    admin: {
      ...adminProcedures,
      ...editingProcedures,
      products: {
        ...adminProcedures.products,
        ...productActionProcedures,
        ...storeProductProcedures,
        export: listExportProcedures.products,
        ...productPictureProcedures,
      },
      comments: { ...moderationProcedures, export: listExportProcedures.comments },
      inquiries: { ...inquiryProcedures, export: listExportProcedures.inquiries },
      mails: {
        ...adminProcedures.mails,
        export: listExportProcedures.mails,
        exportSuppressed: listExportProcedures.suppressed,
      },
      auditExport: listExportProcedures.audit,
      savedReplies: savedReplyProcedures,
      inquiryTopics: inquiryTopicProcedures,
      cases: { ...caseProcedures, export: listExportProcedures.cases },
      subscriptions: { ...storeSubscriptionProcedures, export: listExportProcedures.subscriptions },
      changes: listExportProcedures.changes,
      counts: countProcedures,
      bulk: bulkProcedures,
      tableJobs: tableJobProcedures,
      imports: importProcedures,
      addPicture,
      orders: {
        ...adminProcedures.orders,
        export: listExportProcedures.orders,
        exportMovements: listExportProcedures.movements,
      },
      deposits: { ...adminProcedures.deposits, ...listExportProcedures.deposits },
      members: {
        ...adminProcedures.members,
        ...accountProcedures,
        ...memberSubscriptionProcedures,
        ...memberDataProcedures,
        export: listExportProcedures.members,
      },
      banners: { ...editingProcedures.banners, ...bannerPictureProcedures },
      notices: { ...editingProcedures.notices, ...noticeFileProcedures },
      settings: { ...adminProcedures.settings, ...brandPictureProcedures },
      domains: domainProcedures,
      mailServer: mailServerProcedures,
      stores: managedStoreProcedures,
      paymentAccounts: paymentAccountProcedures,
      plans: storePlanProcedures,
      videos: { ...videoProcedures, export: listExportProcedures.videos },
    },
  })
