import {
  detachedCtx,
  implementProcedures,
  operatorName,
  type ProcedureContext,
  transact,
  transactAsOperator,
  unwrap,
} from '#api/platform/http/procedures.ts'
import { ifMatch } from '#api/platform/http/request-facts.ts'
import { pageDeliveries, replayDelivery, replayFailed, sendTestEvent, viewDelivery } from './deliveries.ts'
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  type EndpointDeps,
  listEndpoints,
  rotateSecret,
  viewEndpoint,
} from './endpoints.ts'

const os = implementProcedures<EndpointDeps>()

/** Who writes, and the version of the object that they have seen. */
const writeOf = (context: ProcedureContext) => ({
  by: operatorName(context),
  expected: ifMatch(context),
})

/** Handlers of the webhooks that a store sends. */
export const webhookProcedures = {
  list: os.webhooks.list.handler(({ context }) => transact(context, listEndpoints)),
  create: os.webhooks.create.handler(async ({ context, input }) =>
    unwrap(await createEndpoint(detachedCtx(context), context.deps, operatorName(context), input)),
  ),
  get: os.webhooks.get.handler(({ context, input }) => transact(context, (ctx) => viewEndpoint(ctx, input.id))),
  change: os.webhooks.change.handler(async ({ context, input }) =>
    unwrap(await changeEndpoint(detachedCtx(context), context.deps, writeOf(context), input)),
  ),
  delete: os.webhooks.delete.handler(async ({ context, input }) => {
    await transact(context, (ctx) => deleteEndpoint(ctx, writeOf(context), input.id))
  }),
  rotateSecret: os.webhooks.rotateSecret.handler(({ context, input }) =>
    transact(context, (ctx) => rotateSecret(ctx, context.deps, writeOf(context), input.id)),
  ),
  test: os.webhooks.test.handler(({ context, input }) => transact(context, (ctx) => sendTestEvent(ctx, input.id))),
  deliveries: os.webhooks.deliveries.handler(({ context, input }) =>
    transact(context, (ctx) => pageDeliveries(ctx, input)),
  ),
  delivery: os.webhooks.delivery.handler(({ context, input }) => transact(context, (ctx) => viewDelivery(ctx, input))),
  replay: os.webhooks.replay.handler(({ context, input }) =>
    transactAsOperator(context, (ctx, by) => replayDelivery(ctx, by, input)),
  ),
  replayFailed: os.webhooks.replayFailed.handler(({ context, input }) =>
    transactAsOperator(context, (ctx, by) => replayFailed(ctx, by, input)),
  ),
}
