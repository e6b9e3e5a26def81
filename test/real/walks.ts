// The document skills of a public repository, each walked from a person's file to the result, in our own words.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { json, lines } from '../support/real/case.ts';
import { SYSTEM_PATH, type Walk } from '../support/real/walk.ts';

const SKILLS = 'anthropics+skills/skills';

/** What Debian's Python says of a result. */
function ask(project: string, code: string): string {
  return execFileSync('python3', ['-c', code], { cwd: project, env: { PATH: SYSTEM_PATH }, encoding: 'utf8' }).trim();
}

/** Not walked, because it does not work by hand with Debian's packages. */
export const NOT_BY_HAND = [
  'pdf fill_fillable_fields.py, extract_form_field_info.py and fill_pdf_form_with_annotations.py: need a newer pypdf than Debian 12 has (3.4.1)',
  'pdf convert_pdf_to_images.py and extract_form_structure.py: pdf2image and pdfplumber are no packages of Debian 12',
  'webapp-testing examples: Playwright for Python is no package of Debian; its place takes playwright-core',
  'docx and pptx from nothing: need docx and pptxgenjs of npm installed for the whole machine',
];

const PDF: Walk = {
  name: 'a PDF form is looked at, filled and read back',
  skill: `${SKILLS}/pdf`,
  needs: ['python:pypdf', 'python:reportlab', 'qpdf'],
  make: lines(
    'from reportlab.pdfgen import canvas',
    'page = canvas.Canvas("form.pdf", invariant=1)',
    'page.drawString(72, 760, "Name")',
    'page.acroForm.textfield(name="full_name", x=150, y=750, width=200, height=20)',
    'page.save()',
  ),
  steps: [
    { script: 'scripts/check_fillable_fields.py', args: ['form.pdf'] },
    {
      write: 'boxes.json',
      content: json({
        form_fields: [
          {
            page_number: 1,
            description: 'Name',
            field_label: 'Name',
            label_bounding_box: [72, 30, 120, 45],
            entry_bounding_box: [150, 20, 350, 42],
            entry_text: { text: 'Ann Example', font_size: 10 },
          },
        ],
      }),
    },
    { script: 'scripts/check_bounding_boxes.py', args: ['boxes.json'] },
    {
      write: 'fill.py',
      content: lines(
        'from pypdf import PdfReader, PdfWriter',
        'writer = PdfWriter()',
        'writer.append(PdfReader("form.pdf"))',
        'writer.update_page_form_field_values(writer.pages[0], {"full_name": "Ann Example"})',
        'writer.write("filled.pdf")',
      ),
    },
    { argv: ['python3', 'fill.py'] },
    { argv: ['qpdf', '--linearize', 'filled.pdf', 'final.pdf'] },
  ],
  results: ['boxes.json', 'fill.py', 'filled.pdf', 'final.pdf'],
  check: (project) =>
    assert.equal(
      ask(project, 'from pypdf import PdfReader; print(PdfReader("final.pdf").get_fields()["full_name"]["/V"])'),
      'Ann Example',
    ),
};

const DOCX: Walk = {
  name: 'a Word document is unpacked, edited, commented, packed and turned into a PDF',
  skill: `${SKILLS}/docx`,
  needs: ['python:docx', 'python:defusedxml', 'python:lxml', 'soffice', 'pandoc'],
  make: lines(
    'from docx import Document',
    'document = Document()',
    'document.add_paragraph("The contract ends in May.")',
    'document.add_paragraph("Second paragraph.")',
    'document.save("doc.docx")',
  ),
  steps: [
    { argv: ['pandoc', '--track-changes=all', 'doc.docx', '-o', 'before.md'] },
    { script: 'scripts/office/unpack.py', args: ['doc.docx', 'unpacked/'] },
    {
      edit: 'unpacked/word/document.xml',
      old: '      <w:r>\n        <w:t>The contract ends in May.</w:t>\n      </w:r>\n',
      now: lines(
        '      <w:commentRangeStart w:id="0"/>',
        '      <w:r><w:t xml:space="preserve">The contract ends in </w:t></w:r>',
        '      <w:del w:id="901" w:author="Claude" w:date="2026-01-01T00:00:00Z"><w:r><w:delText>May</w:delText></w:r></w:del>',
        '      <w:ins w:id="902" w:author="Claude" w:date="2026-01-01T00:00:00Z"><w:r><w:t>June</w:t></w:r></w:ins>',
        '      <w:r><w:t>.</w:t></w:r>',
        '      <w:commentRangeEnd w:id="0"/>',
        '      <w:r><w:rPr><w:rStyle w:val="CommentReference"/></w:rPr><w:commentReference w:id="0"/></w:r>',
      ),
    },
    { script: 'scripts/comment.py', args: ['unpacked/', '0', 'Check &amp; confirm'] },
    { script: 'scripts/office/pack.py', args: ['unpacked/', 'out.docx', '--original', 'doc.docx'] },
    { script: 'scripts/office/validate.py', args: ['out.docx', '--original', 'doc.docx'] },
    { script: 'scripts/accept_changes.py', args: ['out.docx', 'clean.docx'] },
    { script: 'scripts/office/soffice.py', args: ['--headless', '--convert-to', 'pdf', 'out.docx'] },
  ],
  results: ['before.md', 'unpacked/word/comments.xml', 'out.docx', 'clean.docx', 'out.pdf'],
  check: (project) => {
    const read = (file: string, ...more: string[]) =>
      execFileSync('pandoc', ['-t', 'plain', ...more, file], { cwd: project, encoding: 'utf8' });
    assert.match(read('out.docx'), /The contract ends in June\./);
    const comments = ask(
      project,
      'import zipfile; print(zipfile.ZipFile("out.docx").read("word/comments.xml").decode())',
    );
    assert.match(comments, /Check &amp; confirm/);
    assert.match(read('clean.docx', '--track-changes=all'), /The contract ends in June\./);
    assert.match(readFileSync(path.join(project, 'out.pdf'), 'latin1'), /^%PDF-/);
  },
};

const XLSX: Walk = {
  name: 'a workbook gets formulas and their values',
  skill: `${SKILLS}/xlsx`,
  needs: ['python:openpyxl', 'soffice'],
  make: lines(
    'import openpyxl',
    'book = openpyxl.Workbook()',
    'for row in (["Item", "Price"], ["Tea", 3], ["Cup", 9]): book.active.append(row)',
    'book.save("sheet.xlsx")',
  ),
  steps: [
    {
      write: 'total.py',
      content: lines(
        'import openpyxl',
        'book = openpyxl.load_workbook("sheet.xlsx")',
        'book.active["B4"] = "=SUM(B2:B3)"',
        'book.save("sheet.xlsx")',
      ),
    },
    { argv: ['python3', 'total.py'] },
    { script: 'scripts/recalc.py', args: ['sheet.xlsx', '120'] },
  ],
  results: ['total.py', 'sheet.xlsx'],
  check: (project) =>
    assert.equal(
      ask(project, 'import openpyxl; print(openpyxl.load_workbook("sheet.xlsx", data_only=True).active["B4"].value)'),
      '12',
    ),
};

const PPTX: Walk = {
  name: 'a presentation is made from its template: a slide more, another text, cleaned, packed, shown as pictures',
  skill: `${SKILLS}/pptx`,
  needs: ['python:PIL', 'python:defusedxml', 'python:lxml', 'soffice', 'pandoc', 'pdftoppm'],
  make: lines(
    'import subprocess',
    'text = "# Slide one\\n\\n- a\\n- b\\n\\n# Slide two\\n\\nText here\\n"',
    'subprocess.run(["pandoc", "-f", "markdown", "-o", "template.pptx"], input=text.encode(), check=True)',
  ),
  steps: [
    { script: 'scripts/thumbnail.py', args: ['template.pptx', 'thumbs'] },
    { script: 'scripts/office/unpack.py', args: ['template.pptx', 'unpacked/'] },
    { script: 'scripts/add_slide.py', args: ['unpacked/', 'slide2.xml'] },
    {
      edit: 'unpacked/ppt/presentation.xml',
      old: '  </p:sldIdLst>',
      now: '    <p:sldId id="258" r:id="rId8"/>\n  </p:sldIdLst>',
    },
    { edit: 'unpacked/ppt/slides/slide3.xml', old: 'Text here', now: 'Third text' },
    { script: 'scripts/clean.py', args: ['unpacked/'] },
    { script: 'scripts/office/pack.py', args: ['unpacked/', 'out.pptx', '--original', 'template.pptx'] },
    { script: 'scripts/office/soffice.py', args: ['--headless', '--convert-to', 'pdf', 'out.pptx'] },
    { argv: ['pdftoppm', '-jpeg', '-r', '50', 'out.pdf', 'slide'] },
  ],
  results: ['thumbs.jpg', 'unpacked/ppt/slides/slide3.xml', 'out.pptx', 'out.pdf', 'slide-3.jpg'],
  check: (project) => {
    const slide = ask(
      project,
      'import zipfile; print(zipfile.ZipFile("out.pptx").read("ppt/slides/slide3.xml").decode())',
    );
    assert.match(slide, /Third text/);
  },
};

/** By hand it is a port of this machine, where others may listen, too. */
const PORT = String(20_000 + (process.pid % 10_000));

const WEBAPP: Walk = {
  name: 'a local server is driven by a browser',
  skill: `${SKILLS}/webapp-testing`,
  needs: ['chromium', 'node'],
  make: lines(
    'page = "<!doctype html><title>Shop</title><button id=b>Buy</button><p id=o></p>"',
    'page += "<script>b.onclick = () => { o.textContent = `Bought tea` }</script>"',
    'open("index.html", "w").write(page)',
  ),
  steps: [
    { script: 'scripts/with_server.py', args: ['--help'] },
    {
      write: 'drive.mjs',
      content: lines(
        "import { writeFileSync } from 'node:fs';",
        "import { chromium } from 'playwright-core';",
        "const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });",
        'const page = await browser.newPage();',
        `await page.goto('http://localhost:${PORT}/index.html');`,
        "await page.click('#b');",
        "const seen = [await page.title(), await page.textContent('#o')];",
        "writeFileSync('seen.txt', seen.join(': ') + '\\n');",
        "await page.screenshot({ path: 'shot.png' });",
        'await browser.close();',
      ),
    },
    // Without exec the shell alone would be ended, by hand and here, and the server stay.
    {
      script: 'scripts/with_server.py',
      args: ['--server', `exec python3 -m http.server ${PORT}`, '--port', PORT, '--', 'node', 'drive.mjs'],
    },
  ],
  results: ['drive.mjs', 'seen.txt', 'shot.png'],
  check: (project) => {
    assert.equal(readFileSync(path.join(project, 'seen.txt'), 'utf8'), 'Shop: Bought tea\n');
    assert.match(readFileSync(path.join(project, 'shot.png'), 'latin1'), /^\u0089PNG/);
  },
};

export const WALKS: readonly Walk[] = [PDF, DOCX, XLSX, PPTX, WEBAPP];
