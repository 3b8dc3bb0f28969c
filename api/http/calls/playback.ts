import { confirmAttachment as openAttachment } from '#api/domain/playback/confirm-attachment.ts'
import { getPreview } from '#api/domain/playback/get-preview.ts'
import { reportProgress } from '#api/domain/playback/report-progress.ts'
import { startPlayback } from '#api/domain/playback/start-playback.ts'
import { secretFor } from '#api/secrets.ts'
import { transact } from '../call-context.ts'
import { withGuest } from '../guest.ts'
import { os } from '../implementer.ts'

export const playbackCalls = {
  preview: os.playback.preview.handler(({ context, input }) => transact(context, (ctx) => getPreview(ctx, input))),
  startPlayback: os.playback.startPlayback.handler(({ context, input }) =>
    transact(context, (ctx) => startPlayback(ctx, input, secretFor(context.deps.secret, 'media'))),
  ),
  progress: os.playback.progress.handler(({ context, input }) =>
    transact(withGuest(context), (ctx) => reportProgress(ctx, input)),
  ),
}

/** Belongs to the catalogue's calls, and to the rights of playback. */
export const confirmAttachment = os.catalog.confirmAttachment.handler(({ context, input }) =>
  transact(context, (ctx) => openAttachment(ctx, input, secretFor(context.deps.secret, 'media'))),
)
