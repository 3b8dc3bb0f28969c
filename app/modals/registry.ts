import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { ComponentType } from 'react'
import type { modalWidth } from '~/platform/constants'
import type { ModalName } from '~/platform/modals/modal-events'

export interface ModalContentProps {
  /** What the opening event carried. */
  data: unknown
  close: () => void
}

export interface ModalEntry {
  title: MessageDescriptor
  width: keyof typeof modalWidth
  /** The content runs to the edges, as a player does. */
  flush?: boolean
  /** Loaded when first opened. */
  load: () => Promise<ComponentType<ModalContentProps>>
}

/** The modals that exist, by name. */
const modals: Partial<Record<ModalName, ModalEntry>> = {
  videoPreview: {
    title: msg`Preview`,
    width: 'wide',
    flush: true,
    load: () => import('~/features/playback/ui/preview-modal').then((m) => m.PreviewModal),
  },
}

/** The modal of a name an event brought; undefined for an unknown one. */
export const findModal = (name: string): ModalEntry | undefined =>
  Object.hasOwn(modals, name) ? modals[name as ModalName] : undefined
