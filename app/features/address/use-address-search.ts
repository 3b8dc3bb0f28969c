import { useEffect, useEffectEvent, useId } from 'react'
import type { AddressMatch } from '#contract/accounts.ts'
import { closeModal, type ModalDetail, modalEvents, openModal } from '~/platform/modals/modal-events'

/** What the modal is opened with, and what it closes with. */
export interface AddressQuestion {
  /** Who asked: a page may hold more than one address. */
  asker: string
  words: string
}
interface AddressAnswer {
  asker: string
  match: AddressMatch
}

/** The modal's answer to whoever opened it. */
export const answerAddress = (answer: AddressAnswer) => closeModal('searchAddress', answer)

/** Opens the searchAddress modal with some words, and hears of the address chosen there. */
export function useAddressSearch(onChoose: (match: AddressMatch) => void): (words: string) => void {
  const asker = useId()
  const onClose = useEffectEvent(({ detail: { name, data } }: CustomEvent<ModalDetail>) => {
    const answer = data as AddressAnswer | undefined
    if (name === 'searchAddress' && answer?.asker === asker) onChoose(answer.match)
  })
  useEffect(() => {
    window.addEventListener(modalEvents.close, onClose)
    return () => window.removeEventListener(modalEvents.close, onClose)
  }, [])
  return (words) => openModal('searchAddress', { asker, words } satisfies AddressQuestion)
}
