import { basename } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** What takes longest though its file is small, the longest first; those that wait for a storage stand between those that compute. */
const longest = [
  ...['crash-checkout', 'storage-faults', 'crash-refund', 'crash-deposit', 'media-copy', 'crash-renewal'],
  ...['storage-lifecycle', 'charges-command', 'order-events', 'store-start', 'payment-provider-command'],
  ...['new-store', 'recurring', 'crash-videos', 'video-jobs', 'video-command', 'packages', 'operators', 'test-bank'],
]

const placeOf = ({ moduleId }: TestSpecification) => {
  const place = longest.indexOf(basename(moduleId, '.test.ts'))
  return place < 0 ? longest.length : place
}

/** Without times of an earlier run, files begin by their size: then a long one would begin last, with nothing beside it. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b))
  }
}
