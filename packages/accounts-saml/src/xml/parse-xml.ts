import { DOMParser } from '@xmldom/xmldom';
import { SamlError } from '../saml-error.ts';

/** An element with the members that this package uses. The types of xmldom would bring those of browsers. */
export interface XmlElement {
  readonly localName: string;
  readonly namespaceURI: string | null;
  readonly textContent: string | null;
  readonly parentNode: unknown;
  readonly attributes: ArrayLike<{ readonly name: string; readonly localName: string; readonly value: string }>;
  readonly childNodes: ArrayLike<unknown>;
  getAttribute(name: string): string | null;
  getElementsByTagName(name: string): ArrayLike<XmlElement>;
  toString(): string;
}

const parse = (text: string): XmlElement => {
  const refuse = (): never => {
    throw new SamlError('malformed_xml');
  };
  // Warnings too: the parser of the signature must not read another document than this one.
  const parser = new DOMParser({ errorHandler: { warning: refuse, error: refuse, fatalError: refuse } });
  const document = parser.parseFromString(text, 'text/xml');
  return document?.documentElement ?? refuse();
};

/**
 * The root of an answer, or of a decrypted assertion.
 *
 * Safe against entities, document types, comments in names and processing instructions because a text with the beginning of any
 * of them is refused before it is parsed. No provider sends them.
 */
export const parseAnswerXml = (text: string): XmlElement => {
  const content = text.replace(/^\uFEFF?<\?xml [^<>?]*\?>/, '');
  if (content.includes('<!') || content.includes('<?')) throw new SamlError('forbidden_markup');
  return parse(text);
};

/** The root of metadata. They come from the provider itself, and may have comments. */
export const parseMetadataXml = (text: string): XmlElement => {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) throw new SamlError('forbidden_markup');
  return parse(text);
};

/** The element and all those in it, in the order of the document. */
export const allIn = (root: XmlElement): readonly XmlElement[] => [root, ...Array.from(root.getElementsByTagName('*'))];

/** The children with this name. */
export const childrenOf = (parent: XmlElement, localName: string): readonly XmlElement[] =>
  Array.from(parent.getElementsByTagName('*')).filter(
    (each) => each.parentNode === parent && each.localName === localName,
  );
