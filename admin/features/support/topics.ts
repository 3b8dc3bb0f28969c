import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'

/** The topics that every store has. */
const topics: Readonly<Record<string, MessageDescriptor>> = {
  PRODUCT: msg`A title`,
  ORDER: msg`Orders and payments`,
  ACCOUNT: msg`Account`,
  ETC: msg`Other`,
}

/** Names a topic: by the store's own name, by the console's, or by its code. */
export const useTopicName = () => {
  const { i18n } = useLingui()
  return (code: string, name: string | null) => {
    const label = topics[code]
    return name ?? (label ? i18n._(label) : code)
  }
}
