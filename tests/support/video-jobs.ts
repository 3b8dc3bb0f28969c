import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import type { Deps } from '#api/deps.ts'
import { videos } from '#api/modules/catalog/catalog.schema.ts'
import { freeDiskSpace } from '#api/modules/media/disk-space.ts'
import { openEncoders } from '#api/modules/media/encoding/encoders.ts'
import { videoJobs } from '#api/modules/media/media.schema.ts'
import { addVideoFiles, type VideoInput, type VideoIntakeCtx } from '#api/modules/media/video-files.ts'
import { resolveCustomer } from '#api/modules/tenancy/stores.ts'
import { isFailure } from '#api/platform/context.ts'
import { withTenant } from '#api/platform/db/client.ts'
import type { VideoJobId } from '#contract/ids.ts'
import { createTenant, type Tenant } from './tenant.ts'
import type { TestApi } from './test-api.ts'

/** A tenant's videos, as operators add them on the store's machine. */
export const videosOf = async (api: TestApi, tenant: Tenant, deps: Deps = api.deps) => {
  const customer = await resolveCustomer(deps, tenant.code)
  if (!customer) throw new Error('There is no such tenant')
  const ctx: VideoIntakeCtx = {
    customer,
    sources: deps.sources,
    dataFolder: deps.dataFolder,
    freeSpace: () => freeDiskSpace(deps),
    inTransaction: (work) =>
      withTenant(deps.pool, tenant.id, (db) =>
        work({
          customer,
          locale: customer.settings.base.locale,
          db,
          clock: deps.clock,
          log: deps.log,
          requestId: 'test',
          events: deps.events,
          actor: { kind: 'GUEST', guestId: null },
        }),
      ),
  }
  const tryAdd = (input: Omit<VideoInput, 'lessonId'> & { lessonId?: VideoInput['lessonId'] }) =>
    addVideoFiles(ctx, 'admin:Jo', { lessonId: null, ...input })
  const job = async (id: VideoJobId) => {
    const [row] = await tenant.within((db) => db.select().from(videoJobs).where(eq(videoJobs.id, id)))
    if (!row) throw new Error(`There is no job ${id}`)
    return row
  }
  return {
    ctx,
    tryAdd,
    job,
    /** Adds a file that must be accepted; answers the job's id. */
    add: async (input: Parameters<typeof tryAdd>[0]) => {
      const added = await tryAdd(input)
      if (isFailure(added)) throw new Error(JSON.stringify(added))
      return added.id
    },
    /** Runs this tenant's jobs until the condition holds. */
    work: async (until: () => Promise<boolean>) => {
      const encoders = openEncoders(deps)
      encoders.enqueue(tenant.id)
      while (!(await until())) await new Promise((resolve) => setTimeout(resolve, 100))
      await encoders[Symbol.asyncDispose]()
    },
    streams: () => tenant.within((db) => db.select().from(videos)),
  }
}

const below = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    : []

/** The files below the data folder: of running jobs, sources, uploads, streams and posters. */
export const filesOf = ({ dataFolder }: Pick<Deps, 'dataFolder'>) => ({
  work: below(join(dataFolder, 'work')),
  sources: below(join(dataFolder, 'sources')),
  uploads: below(join(dataFolder, 'uploads')),
  streams: [...new Set(below(join(dataFolder, 'media/video')).map((path) => path.split('/')[0]))].sort(),
  posters: [...new Set(below(join(dataFolder, 'media/poster')).map((path) => path.split('/')[0]))],
})

/** A new tenant whose operators add videos. */
export const arrangeVideos = async (api: TestApi) => {
  const tenant = await createTenant(api)
  const tenantVideos = await videosOf(api, tenant)
  const operator = await tenant.createOperator()
  const done = (ids: readonly VideoJobId[]) => async () =>
    (await Promise.all(ids.map(tenantVideos.job))).every(({ endedAt }) => endedAt !== null)
  return {
    tenant,
    tenantVideos,
    done,
    operator: operator.client.media,
    /** Adds a file and waits until its job has ended. */
    make: async (input: Parameters<typeof tenantVideos.add>[0]) => {
      const id = await tenantVideos.add(input)
      await tenantVideos.work(done([id]))
      return tenantVideos.job(id)
    },
    sources: () => filesOf(api.deps).sources.filter((path) => path.startsWith(tenant.id)),
  }
}
