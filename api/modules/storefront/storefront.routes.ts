import type { EngagementLimits } from '#api/modules/engagement/engagement.routes.ts'
import { openPlans } from '#api/modules/plans/plans.ts'
import { type Ctx, failure, type MemberCtx } from '#api/platform/context.ts'
import { emit } from '#api/platform/events.ts'
import { isAnonymous, isReadOnly } from '#api/platform/http/problems.ts'
import {
  fromReplica,
  implementProcedures,
  type ProcedureContext,
  transact,
  transactAsMember,
  writing,
} from '#api/platform/http/procedures.ts'
import { callerKey } from '#api/platform/http/request-facts.ts'
import type { Me } from '#contract/identity.ts'
import { readMember } from './me.queries.ts'
import { optionsOf, optionsOfProduct, viewerStates } from './product-cards.ts'
import { getProduct, histories, likedProducts, listAttachments, purchasedProducts } from './product-page.ts'
import { type CatalogStores, chosenProducts, isMissed, readSitemap, searchProducts, suggest } from './search.ts'

/** What the procedures of this module need of the process. */
interface StorefrontDeps extends CatalogStores {
  limits: Pick<EngagementLimits, 'views'>
}

/** When rights were read, so that the browser counts from it how long they last. */
const timeOf = ({ clock }: Pick<Ctx, 'clock'>): string => clock.now().toISOString()

/**
 * Returns the signed-in member with the size of the cart and whether plans are open to them. Fails
 * with SESSION_EXPIRED if the member no longer exists.
 */
const getMe = async ({ customer, actor, db, clock }: MemberCtx) => {
  const member = await readMember(db, customer.id, actor.memberId)
  if (!member) return failure('SESSION_EXPIRED')
  return { ...member.member, usePlan: openPlans(member.plans, clock.now()), viewing: actor.viewing } satisfies Me
}

const os = implementProcedures<StorefrontDeps>()

const countsView = (context: ProcedureContext<StorefrontDeps>) =>
  !isReadOnly(context) && context.deps.limits.views.consume(callerKey(context)).code === 'ALLOWED'

/** What a visitor sees of the catalog. */
export const productProcedures = {
  search: os.catalog.search.handler(async ({ context, input }) => {
    const search = () => transact(fromReplica(context), (ctx) => searchProducts(ctx, context.deps, input))
    const answer = isAnonymous(context)
      ? await context.deps.cache.get(context, `answer:${JSON.stringify(input)}`, search, input.size)
      : await search()
    if (isMissed(input, answer) && !isReadOnly(context))
      await transact(writing(context), (ctx) => emit(ctx, 'searchMissed', { words: input.q ?? '' }))
    return answer
  }),
  chosen: os.catalog.chosen.handler(async ({ context, input: { section } }) => ({
    items: await transact(fromReplica(context), (ctx) => chosenProducts(ctx, context.deps, section)),
  })),
  suggest: os.catalog.suggest.handler(({ context, input }) =>
    context.deps.cache.get(context, `suggest:${input.q}`, () =>
      transact(fromReplica(context), (ctx) => suggest(ctx, context.deps, input.q)),
    ),
  ),
  sitemap: os.catalog.sitemap.handler(({ context, input }) =>
    transact(fromReplica(context), (ctx) => readSitemap(ctx, input.page)),
  ),
  recentlyWatched: os.catalog.recentlyWatched.handler(({ context, input }) =>
    transact(context, async (ctx) => {
      const { watched } = await histories(ctx, { watched: input.exposureLimit, viewed: 0 })
      return { items: watched, now: timeOf(ctx) }
    }),
  ),
  viewed: os.catalog.viewed.handler(async ({ context, input }) => ({
    items: (await transact(context, (ctx) => histories(ctx, { watched: 0, viewed: input.exposureLimit }))).viewed,
  })),
  histories: os.catalog.histories.handler(({ context, input: { exposureLimit } }) =>
    transact(context, (ctx) => histories(ctx, { watched: exposureLimit, viewed: exposureLimit })),
  ),
  product: os.catalog.product.handler(({ context, input }) => {
    // Beyond the rate limit, the product is still shown, but the view is not counted.
    const countView = input.view && countsView(context)
    return transact(countView ? writing(context) : context, (ctx) =>
      getProduct(ctx, context.deps, input.id, { countView }),
    )
  }),
  viewerStates: os.catalog.viewerStates.handler(async ({ context, input }) => ({
    items: await transact(context, (ctx) => viewerStates(ctx, input.productIds, input)),
  })),
  productOptions: os.catalog.productOptions.handler(({ context, input }) =>
    transact(context, (ctx) => optionsOfProduct(ctx, input.id)),
  ),
  options: os.catalog.options.handler(async ({ context, input }) => ({
    items: await transact(context, (ctx) => optionsOf(ctx, input.productIds)),
  })),
  attachments: os.catalog.attachments.handler(async ({ context, input }) => ({
    items: await transact(context, (ctx) => listAttachments(ctx, context.deps.cache, input.id)),
  })),
}

export const meProcedures = {
  me: os.identity.me.handler(({ context }) => transactAsMember(context, getMe)),
}

/** The lists of a member's own products. */
export const ownProductProcedures = {
  liked: os.engagement.liked.handler(({ context, input }) =>
    transactAsMember(context, (ctx) => likedProducts(ctx, input)),
  ),
  purchased: os.engagement.purchased.handler(({ context, input }) =>
    transactAsMember(context, async (ctx) => ({ ...(await purchasedProducts(ctx, input)), now: timeOf(ctx) })),
  ),
}
