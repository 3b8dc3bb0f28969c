import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import type { Deps } from '#api/deps.ts'
import { videos } from '#api/modules/catalog/catalog.schema.ts'
import { freeDiskSpace } from '#api/modules/media/disk-space.ts'
import { openEncoders } from '#api/modules/media/encoding/encoders.ts'
import { videoJobs } from '#api/modules/media/media.schema.ts'
import { addVideoFiles, type VideoInput, type VideoIntakeDeps } from '#api/modules/media/video-files.ts'
import { resolveCustomer } from '#api/modules/tenancy/stores.ts'
import { isFailure } from '#api/platform/context.ts'
import { withTenant } from '#api/platform/db/client.ts'
import type { VideoJobId } from '#contract/ids.ts'
import { createTenant, type Tenant } from './tenant.ts'
import type { TestApi } from './test-api.ts'

/** A tenant's videos, as its operators give them on the machine of the store. */
export const videosOf = async (api: TestApi, tenant: Tenant, deps: Deps = api.deps) => {
  const customer = await resolveCustomer(deps, tenant.code)
  if (!customer) throw new Error('There is no such tenant')
  const env: VideoIntakeDeps = {
    ...{ customer, sources: deps.sources, dataFolder: deps.dataFolder, roomLeft: () => freeDiskSpace(deps) },
    inTransaction: (work) =>
      withTenant(deps.pool, tenant.id, (db) =>
        work({
          ...{
            customer,
            locale: customer.settings.base.locale,
            db,
            clock: deps.clock,
            log: deps.log,
            requestId: 'test',
            events: deps.events,
          },
          actor: { kind: 'GUEST', guestId: null },
        }),
      ),
  }
  const give = (given: Omit<VideoInput, 'lessonId'> & { lessonId?: VideoInput['lessonId'] }) =>
    addVideoFiles(env, 'admin:Jo', { lessonId: null, ...given })
  const job = async (id: VideoJobId) => {
    const [row] = await tenant.within((db) => db.select().from(videoJobs).where(eq(videoJobs.id, id)))
    if (!row) throw new Error(`There is no job ${id}`)
    return row
  }
  return {
    env,
    give,
    job,
    /** Gives a file that is taken; the job's id. */
    given: async (wish: Parameters<typeof give>[0]) => {
      const added = await give(wish)
      if (isFailure(added)) throw new Error(JSON.stringify(added))
      return added.id
    },
    /** Does this tenant's work until nothing is left to do. */
    work: async (until: () => Promise<boolean>) => {
      const encoders = openEncoders(deps)
      encoders.wake(tenant.id)
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

/** What lies on the machine: under way, given, sent, and the videos that are stored. */
export const filesOf = ({ dataFolder }: Pick<Deps, 'dataFolder'>) => ({
  work: below(join(dataFolder, 'work')),
  sources: below(join(dataFolder, 'sources')),
  uploads: below(join(dataFolder, 'uploads')),
  streams: [...new Set(below(join(dataFolder, 'media/video')).map((path) => path.split('/')[0]))].sort(),
  posters: [...new Set(below(join(dataFolder, 'media/poster')).map((path) => path.split('/')[0]))],
})

/** A new tenant whose operators give films. */
export const arrangeVideos = async (api: TestApi) => {
  const tenant = await createTenant(api)
  const given = await videosOf(api, tenant)
  const operator = await tenant.createOperator()
  const done = (ids: readonly VideoJobId[]) => async () =>
    (await Promise.all(ids.map(given.job))).every(({ endedAt }) => endedAt !== null)
  return {
    ...{ tenant, given, done, operator: operator.client.videos },
    /** Gives a file and sees it to its end. */
    make: async (wish: Parameters<typeof given.given>[0]) => {
      const id = await given.given(wish)
      await given.work(done([id]))
      return given.job(id)
    },
    sources: () => filesOf(api.deps).sources.filter((path) => path.startsWith(tenant.id)),
  }
}
