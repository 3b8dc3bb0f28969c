import { isFailure, viewerOf } from '#api/platform/context.ts'
import { secretFor } from '#api/platform/crypto.ts'
import {
  implementProcedures,
  type ProcedureContext,
  transact,
  transactAsVisitor,
  writing,
} from '#api/platform/http/procedures.ts'
import { consumeLimit } from '#api/platform/http/request-facts.ts'
import { type LimitKinds, minuteSeconds, networkOf } from '#api/platform/limits/rate-limits.ts'
import { countPlaybackReport, countStream } from '#api/platform/telemetry/telemetry.ts'
import { getPreview, openAttachment, startPlayback } from './playback.ts'
import { dismissWatched, reportProgress } from './progress.ts'

/**
 * Returns the limits of playback reports. A player reports its position every ten seconds and when
 * it stops. Guests count by network too, which many visitors may share.
 */
export const createPlaybackLimits = ({ inProcess }: LimitKinds) => ({
  reports: inProcess(120, minuteSeconds),
  reportsByNetwork: inProcess(1200, minuteSeconds),
})
type PlaybackLimits = ReturnType<typeof createPlaybackLimits>

/** What the procedures of this module need of the process. */
interface PlaybackDeps {
  limits: PlaybackLimits
}

const os = implementProcedures<PlaybackDeps>()

export const playbackProcedures = {
  preview: os.playback.preview.handler(({ context, input }) => transact(context, (ctx) => getPreview(ctx, input))),
  startPlayback: os.playback.startPlayback.handler(({ context, input }) =>
    transact(context, async (ctx) => {
      const playback = await startPlayback(ctx, input, {
        mediaSecret: secretFor(context.deps.secret, 'media'),
        address: context.address,
      })
      countStream(isFailure(playback) ? playback.failure : 'OPENED')
      return playback
    }),
  ),
  progress: os.playback.progress.handler(({ context, input }) => {
    handleReport(context)
    countPlaybackReport()
    return transactAsVisitor(context, (ctx) => reportProgress(ctx, input))
  }),
  dismissWatched: os.playback.dismissWatched.handler(({ context, input }) =>
    transact(context, (ctx) => dismissWatched(ctx, input.id, input.dismissed)),
  ),
}

/** No real player reports more often than this, and no network has more guests than a school. */
const handleReport = ({ deps: { limits }, customer, actor, address }: ProcedureContext<PlaybackDeps>) => {
  if (actor.kind === 'GUEST') consumeLimit(limits.reportsByNetwork, `${customer.id}:${networkOf(address)}`)
  const viewer = viewerOf(actor)
  if (viewer !== null) consumeLimit(limits.reports, `${customer.id}:${viewer}`)
}

/** Part of the catalogue's contract; implemented here because it depends on playback rights. */
export const confirmAttachment = os.catalog.confirmAttachment.handler(({ context, input }) =>
  transact(writing(context), (ctx) => openAttachment(ctx, input, secretFor(context.deps.secret, 'media'))),
)
