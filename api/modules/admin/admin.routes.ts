import * as manual from '#api/modules/billing/manual-deposits.ts'
import { sendReceiptAgain } from '#api/modules/billing/orders.ts'
import { type PaymentCtx, type PaymentDeps, paymentCtx } from '#api/modules/billing/payment-states.ts'
import { acceptCancel, recordRefundTransfer, rejectCancel } from '#api/modules/billing/refund-decisions.ts'
import { refundOrder } from '#api/modules/billing/refunds.ts'
import { createComplimentaryOrder, createPaidOrder, grantTitle } from '#api/modules/billing/staff-orders.ts'
import { cancelUnpaidOrder, undoDeposit } from '#api/modules/billing/undo-deposit.ts'
import * as tree from '#api/modules/catalog/categories.ts'
import { productIdsOf } from '#api/modules/catalog/products.queries.ts'
import { createProduct, viewStoredProduct } from '#api/modules/catalog/products.ts'
import { revokeTitle } from '#api/modules/entitlements/granted-titles.ts'
import * as mail from '#api/modules/mail/mails.ts'
import { choosePoster, listPosters, plainPoster } from '#api/modules/media/pictures.ts'
import { hasPlanOfCategory } from '#api/modules/plans/plans.queries.ts'
import { testMail } from '#api/modules/staff/mails/staff-mails.ts'
import { changeSettingsAsSeen, viewSettings } from '#api/modules/tenancy/settings.ts'
import { storeOrigins, type TenancyDeps } from '#api/modules/tenancy/stores.ts'
import type { AuditActor } from '#api/platform/audit.ts'
import { type Ctx, type Failure, failure, invalidField, isFailure } from '#api/platform/context.ts'
import {
  detachedCtx,
  implementProcedures,
  operatorName,
  operatorOf,
  type ProcedureContext,
  transact,
  transactAsOperator,
  unwrap,
} from '#api/platform/http/procedures.ts'
import { ifMatch } from '#api/platform/http/request-facts.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import { idempotent } from '#api/platform/idempotency/idempotency.ts'
import type { MailTemplate } from '#api/platform/mail/render.ts'
import type { MediaStorage } from '#api/platform/storage/storage.ts'
import type { OrderCode } from '#contract/ids.ts'
import type { SiteSettings } from '#contract/tenancy.ts'
import { pageAudit } from './audit-log.ts'
import { closeStore, createPreview, openStore, type StoreFacts, setMaintenance, viewStore } from './store-lifecycle.ts'
import { listMemberFacets, pageMembers, subjectOfAddress, viewStoreMember } from './store-members.ts'
import {
  addNote,
  findOrders,
  listOpenCancelRequests,
  pageOrders,
  refuseOldOrder,
  viewStoreOrder,
} from './store-orders.ts'
import { getHome, listMoneyToReturn } from './waiting-work.ts'

interface AdminDeps extends PaymentDeps, Pick<TenancyDeps, 'originOfHost'> {
  /** Null if no emails are sent. */
  mailer: object | null
  /** Needed to know whether the code or link of an email has expired. */
  mailTemplates: readonly MailTemplate<unknown>[]
  storage: MediaStorage
}

const os = implementProcedures<AdminDeps>().admin

const orders = {
  list: os.orders.list.handler(({ context, input }) => transact(context, (ctx) => pageOrders(ctx, input))),
  search: os.orders.search.handler(({ context, input }) => transact(context, (ctx) => findOrders(ctx, input))),
  get: os.orders.get.handler(({ context, input }) => transact(context, (ctx) => viewStoreOrder(ctx, input.code))),
  refund: os.orders.refund.handler(async ({ context, input: { itemIds, ...input } }) => {
    await transact(context, (ctx) => refuseOldOrder(ctx, input.code, ifMatch(context)))
    const refund = { ...input, itemIds, productCodes: [], by: operatorName(context) }
    const { step, amount, currency, titles } = unwrap(await refundOrder(paymentCtx(context), refund))
    return { step, amount: { amount, currency }, titles }
  }),
  cancel: os.orders.cancel.handler(async ({ context, input }) => {
    await transact(context, (ctx) => refuseOldOrder(ctx, input.code, ifMatch(context)))
    unwrap(await cancelUnpaidOrder(paymentCtx(context), { ...input, by: operatorName(context) }))
  }),
  createComplimentary: os.orders.createComplimentary.handler(({ context, input }) =>
    idempotent(context, 'createComplimentary', input, async () =>
      unwrap(await createComplimentaryOrder(paymentCtx(context), operatorName(context), input)),
    ),
  ),
  createPaid: os.orders.createPaid.handler(({ context, input }) =>
    idempotent(context, 'createPaidOrder', input, async () =>
      unwrap(await createPaidOrder(paymentCtx(context), operatorName(context), input)),
    ),
  ),
  acceptCancel: os.orders.acceptCancel.handler(async ({ context, input: { code } }) =>
    unwrap(await acceptCancel(paymentCtx(context), { code, by: operatorName(context) })),
  ),
  rejectCancel: os.orders.rejectCancel.handler(async ({ context, input }) => {
    await transactAsOperator(context, (ctx, by) => rejectCancel(ctx, { ...input, by }))
  }),
  openRefunds: os.orders.openRefunds.handler(async ({ context }) => {
    const rows = await transact(context, listOpenCancelRequests)
    return { items: rows.map(({ amount, currency, ...row }) => ({ ...row, amount: { amount, currency } })) }
  }),
  sendReceipt: os.orders.sendReceipt.handler(async ({ context, input: { code } }) => {
    await transactAsOperator(context, (ctx, by) => sendReceiptAgain(ctx, by, code))
  }),
  addNote: os.orders.addNote.handler(async ({ context, input: { code, text } }) => {
    await transactAsOperator(context, (ctx, by) => addNote(ctx, by, { order: code }, text))
  }),
}

/** Changes the payment of an order that the caller has seen, once for each idempotency key. */
const changeOnce = <Input extends { code: OrderCode }, Answer>(
  context: ProcedureContext<AdminDeps>,
  procedure: string,
  input: Input,
  change: (ctx: PaymentCtx, input: Input & { by: AuditActor }) => Promise<Answer>,
) =>
  idempotent(context, procedure, input, async () => {
    await transact(context, (ctx) => refuseOldOrder(ctx, input.code, ifMatch(context)))
    return unwrap(await change(paymentCtx(context), { ...input, by: operatorName(context) }))
  })

const deposits = {
  toReturn: os.deposits.toReturn.handler(async ({ context, input }) =>
    unwrap(await listMoneyToReturn(paymentCtx(context), input)),
  ),
  receive: os.deposits.receive.handler(({ context, input }) =>
    changeOnce(context, 'receiveDeposit', input, manual.markDepositPaid),
  ),
  undo: os.deposits.undo.handler(({ context, input }) => changeOnce(context, 'undoDeposit', input, undoDeposit)),
  match: os.deposits.match.handler(({ context, input }) =>
    changeOnce(context, 'matchDeposit', input, manual.matchUnapplied),
  ),
  recordReturn: os.deposits.recordReturn.handler(async ({ context, input }) => {
    await idempotent(context, 'returnDeposit', input, () =>
      transactAsOperator(context, (ctx, by) => manual.returnUnapplied(ctx, { ...input, by })),
    )
  }),
  recordRefund: os.deposits.recordRefund.handler(async ({ context, input }) => {
    await idempotent(context, 'recordRefund', input, () =>
      transactAsOperator(context, (ctx, by) => recordRefundTransfer(ctx, { ...input, by })),
    )
  }),
}

const members = {
  facets: os.members.facets.handler(({ context }) => transact(context, listMemberFacets)),
  list: os.members.list.handler(({ context, input }) => transact(context, (ctx) => pageMembers(ctx, input))),
  get: os.members.get.handler(({ context, input }) => transact(context, (ctx) => viewStoreMember(ctx, input.id))),
  addNote: os.members.addNote.handler(async ({ context, input: { id, text } }) => {
    await transactAsOperator(context, (ctx, by) => addNote(ctx, by, { member: id }, text))
  }),
  grantTitle: os.members.grantTitle.handler(async ({ context, input }) => {
    await idempotent(context, 'grantTitle', input, async () =>
      unwrap(await grantTitle(paymentCtx(context), operatorName(context), input)),
    )
  }),
  revokeTitle: os.members.revokeTitle.handler(async ({ context, input }) => {
    await transactAsOperator(context, (ctx, by) => revokeTitle(ctx, by, input))
  }),
}

const mails = {
  list: os.mails.list.handler(({ context, input }) => transact(context, (ctx) => mail.pageMails(ctx, input))),
  get: os.mails.get.handler(({ context, input }) =>
    transact(context, (ctx) => mail.viewMail(ctx, input.id, context.origin)),
  ),
  html: os.mails.html.handler(async ({ context, input }) => {
    const { file, policy } = await transact(context, (ctx) => mail.viewMailHtml(ctx, input.id, context.origin))
    context.answerHeaders.set('content-security-policy', policy)
    return file
  }),
  resend: os.mails.resend.handler(({ context, input }) =>
    transactAsOperator(context, (ctx, by) => mail.resendMail(ctx, by, input.id, context.deps.mailTemplates)),
  ),
  sendTest: os.mails.sendTest.handler(async ({ context, input }) => {
    await transactAsOperator(context, (ctx, by) => mail.queueTestMail(ctx, by, testMail, input.email))
  }),
  suppressed: os.mails.suppressed.handler(({ context, input }) =>
    transact(context, (ctx) => mail.pageSuppressed(ctx, input)),
  ),
  suppress: os.mails.suppress.handler(async ({ context, input }) => {
    await transactAsOperator(context, async (ctx, by) =>
      mail.suppressAddress(ctx, by, { ...input, subject: await subjectOfAddress(ctx, input.address) }),
    )
  }),
  release: os.mails.release.handler(async ({ context, input }) => {
    await transactAsOperator(context, async (ctx, by) =>
      mail.releaseAddress(ctx, by, { ...input, subject: await subjectOfAddress(ctx, input.address) }),
    )
  }),
}

/** The command line is told which product is missing. An answer does not repeat what was sent. */
const withoutProduct = <Answer>(answer: Answer | Failure): Answer | Failure =>
  isFailure(answer) && answer.errors?.product ? failure('NOT_FOUND') : answer

const products = {
  get: os.products.get.handler(({ context, input }) => transact(context, (ctx) => viewStoredProduct(ctx, input.code))),
  create: os.products.create.handler(async ({ context, input }) => {
    const poster = await plainPoster(context.customer, context.deps.storage)
    return transactAsOperator(context, (ctx, by) => createProduct(ctx, by, { ...input, poster }))
  }),
  posters: os.products.posters.handler(async ({ context, input }) => {
    const keys = await transact(context, async (ctx) => {
      const stored = await listPosters(ctx, { product: input.code })
      // The product exists, and its video has no pictures.
      return isFailure(stored) && stored.errors?.poster ? [] : withoutProduct(stored)
    })
    return { items: keys.map((key, at) => ({ number: at + 1, url: `/media/${key}` })) }
  }),
  choosePoster: os.products.choosePoster.handler(async ({ context, input: { code, number } }) => {
    const posters = { ...detachedCtx(context), storage: context.deps.storage }
    unwrap(withoutProduct(await choosePoster(posters, operatorName(context), { product: code, number })))
  }),
}

const categories = {
  list: os.categories.list.handler(({ context }) => transact(context, tree.viewCategories)),
  create: os.categories.create.handler(({ context, input }) =>
    transactAsOperator(context, (ctx, by) => tree.createCategory(ctx, by, input)),
  ),
  update: os.categories.update.handler(({ context, input }) =>
    transactAsOperator(context, (ctx, by) => tree.updateCategory(ctx, by, ifMatch(context), input)),
  ),
  move: os.categories.move.handler(({ context, input }) =>
    transactAsOperator(context, (ctx, by) => tree.moveCategory(ctx, by, ifMatch(context), input)),
  ),
  delete: os.categories.delete.handler(({ context, input }) =>
    transactAsOperator(context, async (ctx, by) =>
      (await hasPlanOfCategory(ctx.db, ctx.customer.id, input.id))
        ? failure('CONFLICT')
        : tree.deleteCategory(ctx, by, ifMatch(context), input.id),
    ),
  ),
}

/** Refuses an arrangement of what the store does not have, or of nothing. */
const refuseUnknownItems = async (
  ctx: Ctx,
  { homeSections, menu }: Pick<SiteSettings, 'homeSections' | 'menu'>,
): Promise<Failure | null> => {
  const i18n = messagesOf(ctx.locale)
  const refused = (message: string, field: string = 'homeSections') => invalidField(field, message)
  for (const [field, items] of Object.entries({ homeSections, menu })) {
    const ids = (items ?? []).flatMap((item) => (item.kind === 'CATEGORY' ? item.categoryId : []))
    const known = ids.length > 0 ? (await tree.viewCategories(ctx)).items : []
    if (!ids.every((id) => known.some((category) => category.id === id)))
      return refused(i18n._('Choose categories that the store has.'), field)
  }
  const chosen = (homeSections ?? []).flatMap((section) => (section.kind === 'PRODUCTS' ? [section.productCodes] : []))
  if (chosen.some((codes) => codes.length === 0)) return refused(i18n._('Choose at least one product for each list.'))
  const codes = chosen.flat()
  const known = codes.length > 0 ? await productIdsOf(ctx.db, ctx.customer.id, codes) : new Map()
  return codes.every((code) => known.has(code)) ? null : refused(i18n._('Choose products that the store has.'))
}

const settings = {
  read: os.settings.read.handler(({ context }) => transact(context, viewSettings)),
  update: os.settings.update.handler(({ context, input }) =>
    transactAsOperator(
      context,
      async (ctx, by) =>
        (await refuseUnknownItems(ctx, input)) ?? (await changeSettingsAsSeen(ctx, by, ifMatch(context), input)),
    ),
  ),
}

/** Runs a use case of operators with what the process knows of the store. */
const withFacts = async <Answer>(
  context: ProcedureContext<AdminDeps>,
  work: (ctx: Ctx, by: AuditActor, facts: StoreFacts) => Promise<Answer>,
) => {
  const facts = { origins: await storeOrigins(context.deps, context.customer), sendsMail: context.deps.mailer !== null }
  return transactAsOperator(context, (ctx, by) => work(ctx, by, facts))
}

const store = {
  read: os.store.read.handler(({ context }) => withFacts(context, (ctx, _, facts) => viewStore(ctx, facts))),
  open: os.store.open.handler(({ context, input = {} }) =>
    withFacts(context, (ctx, by, facts) => openStore(ctx, by, input, facts)),
  ),
  close: os.store.close.handler(({ context, input }) =>
    withFacts(context, (ctx, by, facts) => closeStore(ctx, by, input, facts)),
  ),
  setMaintenance: os.store.setMaintenance.handler(({ context, input }) =>
    withFacts(context, (ctx, by, facts) => setMaintenance(ctx, by, input, facts)),
  ),
  createPreview: os.store.createPreview.handler(({ context, input }) => {
    const link = { ...input, secret: context.deps.secret, origin: context.origin }
    return transactAsOperator(context, (ctx, by) => createPreview(ctx, by, link))
  }),
}

export const adminProcedures = {
  audit: os.audit.handler(({ context, input }) => transact(context, (ctx) => pageAudit(ctx, context.operator, input))),
  orders,
  deposits,
  members,
  mails,
  products,
  categories,
  settings,
  store,
  home: os.home.handler(({ context }) => transact(context, (ctx) => getHome(ctx, operatorOf(context).permissions))),
}
