import { basename } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Small files with long tests, the longest first. Files that wait for a storage alternate with
 * files that compute.
 */
const longest = [
  ...['storage-faults', 'crash-renewal', 'media-copy', 'order-events', 'subscription-events', 'sign-in-limits'],
  ...['video-jobs', 'crash-deposit', 'storage-s3', 'crash-checkout', 'catalog-s3', 'crash-refund', 'storage-lifecycle'],
  ...[
    'new-store',
    'launch-checklist',
    'crash-videos',
    'catalog-films',
    'development',
    'video-command',
    'store-start',
    'recurring',
  ],
  ...['memory', 'page-addresses', 'closed-stores', 'routes', 'packages'],
]

const placeOf = ({ moduleId }: TestSpecification) => {
  const place = longest.indexOf(basename(moduleId, '.test.ts'))
  return place < 0 ? longest.length : place
}

/**
 * Without times of an earlier run, files start by their size, so that a long one would start last
 * and run alone. Projects remain one after the other: a worker ends where the next file is another
 * project's, and a new one loads all modules again.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const projects = [...new Set(sorted.map(({ project }) => project))]
    return projects.flatMap((project) =>
      sorted.filter((file) => file.project === project).toSorted((a, b) => placeOf(a) - placeOf(b)),
    )
  }
}
