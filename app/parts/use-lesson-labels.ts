import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useSiteSettings } from '~/platform/shell/shell.functions'

/** The store's term for the videos of one product: lessons in an academy, episodes elsewhere. */
export function useLessonLabels() {
  const { t } = useLingui()
  const { lessonTerm } = useSiteSettings().base
  return lessonTerm === 'LESSON'
    ? {
        title: t`Lessons`,
        watchFree: t`Watch a free lesson`,
        count: (count: number) => t`${plural(count, { one: '# lesson', other: '# lessons' })}`,
      }
    : {
        title: t`Episodes`,
        watchFree: t`Watch a free episode`,
        count: (count: number) => t`${plural(count, { one: '# episode', other: '# episodes' })}`,
      }
}
