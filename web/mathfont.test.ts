// The font of formulas: it has what temml writes, it says how a root grows, and it is small.

import { convert } from 'fontverter';
import temml from 'temml';
import { expect, it } from 'vitest';

import { isInFont, mathFontFile } from './mathfont.ts';

const FORMULAS = [
  String.raw`x_{1,2} = \frac{-b \pm \sqrt{b^2 - 4ac}}{2a}`,
  String.raw`\sqrt[3]{\overline{AB} + \underline{c}} \neq \widehat{abc} \cdot \vec{v} \times \hat{n}`,
  String.raw`\int_0^\infty e^{-x^2}\,dx = \frac{\sqrt{\pi}}{2}, \quad \oint, \iint, \sum_{n=1}^{\infty} \prod \bigcup \bigcap`,
  String.raw`\left( \frac{a}{b} \right) \left[ x \right] \left\{ y \right\} \left| z \right| \left\lfloor w \right\rfloor \langle u \rangle`,
  String.raw`\begin{pmatrix} a & b \\ c & d \end{pmatrix} \begin{cases} 1 & x > 0 \\ 0 & x \le 0 \end{cases}`,
  String.raw`\alpha\beta\gamma\delta\epsilon\varepsilon\zeta\eta\theta\vartheta\lambda\mu\pi\rho\sigma\tau\varphi\omega \Gamma\Delta\Omega`,
  String.raw`\mathbb{R} \mathbb{N} \mathbb{Z} \mathbb{Q} \mathbb{C} \mathcal{L} \mathbf{F} \mathrm{d} \text{if}`,
  String.raw`A \subset B \subseteq C \in D \notin E \cup F \cap G \emptyset \forall x \exists y \neg p \land q \lor r \Rightarrow s \iff t`,
  String.raw`a \le b \ge c \approx d \equiv e \sim f \propto g \ll h \gg i \to j \mapsto k \leftarrow l \infty \partial \nabla \angle \perp \parallel`,
  String.raw`\overbrace{a+b}^{2} \underbrace{c+d}_{2} \overrightarrow{AB} \xrightarrow{f} \overleftrightarrow{CD} \ldots \cdots \vdots \ddots`,
  String.raw`\dot{x} \ddot{x} \bar{x} \tilde{x} f'(x) f''(x) 90^\circ 5\,\% \sqrt{2} \binom{n}{k} \mid \therefore \because \div \ast \star \circ \bullet`,
];

it.each(FORMULAS)('has every character of %s', (formula) => {
  const mathml = temml.renderToString(formula, { throwOnError: true });
  const text = mathml.replaceAll(/<annotation[^]*?<\/annotation>/g, '').replaceAll(/<[^>]*>|&\w+;/g, '');
  // Variation selectors and joiners have no shape of their own.
  const missing = [...text].filter((character) => !isInFont(character) && !/[\u{fe00}-\u{fe0f}\u200b-\u200d]/u.test(character));
  expect(missing.map((character) => `${character} ${character.codePointAt(0)?.toString(16) ?? ''}`)).toEqual([]);
});

// The whole font is read and cut: seconds on a busy machine.
it('says how a root, a bracket and a line grow, in at most 100 KB', async () => {
  const file = await mathFontFile();
  expect(file.length).toBeLessThan(100_000);
  const tables = Buffer.from(await convert(file, 'sfnt'));
  const names = Array.from({ length: tables.readUInt16BE(4) }, (_, at) => tables.toString('latin1', 12 + 16 * at, 16 + 16 * at));
  expect(names).toContain('MATH');
}, 30_000);
