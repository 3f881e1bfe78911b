// SPDX-License-Identifier: GPL-2.0-only
/* REGISTERS: what registers say in the header: templates, and code beside them */

/* Templates of header lines. */
static void test_template(void)
{
	static const struct { const char *text; u64 v; const char *want; } t[] = {
		{ "plain", 5, "plain" }, { "", 5, "" }, { "#", 0xabc, "0x00000abc" },
		{ "#", 0x123456789abc, "0x123456789abc" },
		{ "a # b # c", 1, "a 0x00000001 b 0x00000001 c" },
		{ "{d 7, 0}", 0x1ff, "255" }, { "{d 63, 0}", ~0ull, "18446744073709551615" },
		{ "{x 15, 8}", 0xabcd, "0xab" }, { "<{d 3, 0}|{d 7, 4}>", 0x21, "<1|2>" },
		{ "{? 0, 0:yes|no}", 1, "yes" }, { "{? 0, 0:yes|no}", 2, "no" },
		{ "{? 0, 0:|UN}locked", 0, "UNlocked" }, { "{? 0, 0:|UN}locked", 1, "locked" },
		{ "{? 1, 1:EN|DIS}abled {? 0, 0:EN|DIS}abled", 2, "ENabled DISabled" },
		{ "{i 12, 0}", 0x8000 | 2 << 10 | 76, "77824" },
		{ "{i 12, 0}", 5 << 10 | 1023, "34326183936" }, { "{i 12, 0}", 6 << 10 | 1, "0" },
		{ "{i 12, 0}", 7 << 10 | 1, "0" },
		{ "{i 12, 0}", 9, "9" },
		{ "a" D(PLATFORM_INFO_BASE_RATIO) "b", 0x2a00, "a42b" },
		{ IF(POWER_LIMIT_LOCKED, "", "UN") "locked", 1ull << 31, "locked" },
		{ "{# 31, 0}", 0x123456789, "0x23456789" },
		{ "({o 1, 0:LEVEL=} lock)", 6, "(LEVEL=2  lock)" },
		{ "({o 1, 0:LEVEL=} lock)", 4, "( lock)" },
		{ "r{m 15, 8:base}", 0x2a00, "r\n42 * 100.0 = 4200.0 MHz base" },
		{ "r{m 15, 8:base}", 0x2a, "r" },
	};
	struct line_at at = { 0 };

	M.bclk = 100;
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct buf b = { 0 };

		at.value = t[i].v;
		buf_add(&b, "", 0);
		print_template(&b, t[i].text, &at);
		CHECK(!strcmp(b.p, t[i].want), "'%s' of 0x%llx: '%s', not '%s'", t[i].text, t[i].v,
		      b.p, t[i].want);
		free(b.p);
	}
}

static const struct test registers_tests[] = {
	{ "template", test_template },
	{ 0 }
};
